import { flow } from '../helpers/gateway.ts'
import type { Setup } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'
import { answerJson } from '../helpers/upstream.ts'

// A row's default want, and its `only`: the ceiling that no holder sees beyond, whatever the status.

const ROWS: Setup['rows'] = [
  { name: 'SHORT', method: 'GET', path: '/short/{status}', want: { select: ['id'] } },
  { name: 'ONLY', method: 'GET', path: '/only/{status}', only: ['id', 'name'] },
]

const SETUP: Setup = {
  rows: ROWS,
  serve(req, res) {
    const status = Number(/\d+$/.exec(req.url ?? '')?.[0])
    const value = { id: 1, name: 'n', secret: 'SECRET', deep: { secret: 'SECRET' } }
    if (req.headers['x-as'] === 'text') return void res.writeHead(status).end('SECRET')
    if (req.headers['x-as'] === 'broken')
      return void res
        .writeHead(status, { 'content-type': 'application/json' })
        .end('{"id":1,"secret":"SECRET"')
    answerJson(res, value, status)
  },
}

flow('a row’s default, and another want in its place', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = *')
  for (const shape of SHAPES) {
    const plain = await gateway.ask(shape, { token, path: '/short/200' })
    t.equal(plain.text, '{"id":1}', shape)
    const asked = await gateway.ask(shape, { token, path: '/short/200', headers: { want: 'name' } })
    t.equal(asked.text, '{"name":"n"}')
    const failed = await gateway.ask(shape, { token, path: '/short/404' })
    t.match(failed.text, 'SECRET', 'an error passes whole: its text is what the caller needs')
    t.equal(failed.header('projected'), 'no')
  }
})

flow('nobody sees beyond `only`', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = *')
  const wants = [
    undefined,
    '*',
    'secret',
    'id,secret,deep.secret',
    '{"select":["-id"]}',
    '{"want":{"shape":"first"}}',
  ]
  for (const shape of SHAPES)
    for (const status of [200, 201, 404, 500])
      for (const want of wants) {
        const headers: Record<string, string> = want === undefined ? {} : { want }
        const got = await gateway.ask(shape, { token, path: `/only/${status}`, headers })
        t.notMatch(got.seen, 'SECRET', `${shape}: ${status}, ${want}`)
      }
})

flow('what cannot be cut to `only` is not shown', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = *')
  for (const shape of SHAPES)
    for (const as of ['text', 'broken'])
      for (const status of [200, 500]) {
        const got = await gateway.ask(shape, {
          token,
          path: `/only/${status}`,
          headers: { 'x-as': as },
        })
        t.notMatch(got.seen, 'SECRET', `${shape}: ${as}, ${status}`)
        t.equal(got.status, 502)
        t.equal(got.header('refused'), 'upstream_invalid')
      }
})
