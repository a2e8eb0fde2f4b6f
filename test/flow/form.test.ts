import { flow, KEY, rowName, type Setup } from '../helpers/gateway.ts'
import { leaksIn } from '../helpers/leaks.ts'
import { SHAPES } from '../helpers/shapes.ts'
import { bodyOf } from '../helpers/upstream.ts'

const PLACEHOLDER = '__flow_key__'
const FORM = 'application/x-www-form-urlencoded'
const got: { readonly url: string; readonly type: string; readonly body: string }[] = []

const SETUP: Setup = {
  rows: [
    {
      name: 'CHARGE',
      method: 'POST',
      path: '/v1/{id}:charge',
      body: 'form',
      args: {
        properties: {
          id: { in: 'path', type: 'string', required: true },
          amount: { in: 'body', type: 'integer', required: true },
          meta: { in: 'body', type: 'object', style: 'deep' },
          file: { in: 'body', type: 'string' },
          secret: { in: 'body', type: 'string' },
        },
      },
    },
  ],
  keys: [{ placeholder: PLACEHOLDER, places: ['headers', 'body'] }],
  async serve(req, res) {
    const { url = '', headers } = req
    got.push({ url, type: headers['content-type'] ?? '', body: String(await bodyOf(req)) })
    res.end('done')
  },
}

flow('a form is judged, keyed and recorded wherever it comes from', SETUP, async (t, gateway) => {
  const lines = (name: string) => [
    `tools = ${name}`,
    `arg ${name}.amount <= 10`,
    `arg ${name}.meta.kind = small`,
    'area = /docs',
  ]
  for (const shape of SHAPES) {
    const name = rowName('CHARGE', shape)
    const token = gateway.mint(...lines(name))
    const send = (body: string, type = FORM) =>
      gateway.ask(shape, {
        token,
        method: 'POST',
        path: '/v1/ch_1:charge',
        headers: { 'content-type': type },
        body,
      })
    const good = `amount=7&meta%5Bkind%5D=small&file=/docs/a+b&secret=${PLACEHOLDER}`
    const answer = await send(good, `${FORM}; charset=UTF-8`)
    t.equal(answer.status, 200, shape)
    const sent = good.replace(PLACEHOLDER, encodeURIComponent(KEY))
    t.equal(decodeURIComponent(got.at(-1)!.body), decodeURIComponent(sent), 'with the key')
    const receipt = gateway.receipt(answer.header('receipt'))
    const args = { id: 'ch_1', amount: 7, meta: { kind: 'small' }, file: '/docs/a b' }
    t.match(receipt, { tool: name, envelope: { args: { ...args, secret: PLACEHOLDER } } })
    t.same(leaksIn(JSON.stringify(receipt), KEY), [])
    for (const [body, code, type] of [
      ['amount=11&meta[kind]=small&file=/docs/a', 'arg_refused'],
      ['amount=7&meta[kind]=big&file=/docs/a', 'arg_refused'],
      ['amount=7&meta[kind][]=small&meta[kind][]=big&file=/docs/a', 'arg_refused'],
      ['amount=7&meta[kind]=small&file=/etc/a', 'area_outside'],
      ['amount=7&amount=99&meta[kind]=small', 'malformed_request'],
      ['amount=7&amount[]=99&meta[kind]=small', 'malformed_request'],
      ['{"amount":7,"meta":{"kind":"small"}}', 'malformed_request', 'application/json'],
      [good, 'malformed_request', `${FORM}; charset=utf-16`],
      [good, 'malformed_request', 'text/plain'],
    ] as const) {
      const refused = await send(body, type)
      t.equal(refused.header('refused'), code, `${shape} ${body} ${type}`)
    }
  }
  const reached = got.length
  t.equal(reached, SHAPES.length, 'what was refused went nowhere')

  const token = gateway.mint(...lines('CHARGE'))
  const run = async (args: object) => {
    const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}/g/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ tool: 'CHARGE', args }),
    })
    await answer.text()
    return answer
  }
  const args = { id: 'ch/2', amount: 7, meta: { kind: 'small', ü: ['x', '&'] }, file: '/docs' }
  const ran = await run(args)
  t.equal(ran.status, 200)
  t.same(got.at(-1), {
    url: '/v1/ch%2F2:charge',
    type: FORM,
    body: 'amount=7&meta%5Bkind%5D=small&meta%5B%C3%BC%5D%5B0%5D=x&meta%5B%C3%BC%5D%5B1%5D=%26&file=%2Fdocs',
  })
  const receipt = gateway.receipt(ran.headers.get('receipt') ?? undefined)
  t.match(receipt, { tool: 'CHARGE', envelope: { args } })
  t.equal((await run({ ...args, amount: 11 })).headers.get('refused'), 'arg_refused')
  t.equal((await run({ ...args, stray: 1 })).headers.get('refused'), 'unknown_field')
  t.equal(got.length, reached + 1)

  const [shape] = SHAPES
  const free = gateway.mint(`tools = ${rowName('CHARGE', shape!)}`)
  for (const body of ['amount=x&amount[]=%', 'amount=7']) {
    const headers = { 'content-type': FORM }
    const asked = { token: free, method: 'POST', path: '/v1/a:charge', headers, body }
    t.equal((await gateway.ask(shape!, asked)).status, 200, 'no line looks at it')
    t.equal(got.at(-1)?.body, body)
  }
})
