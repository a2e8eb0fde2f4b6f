import { once } from 'node:events'
import { narrowToken } from '../../policy/index.ts'
import { eventually, flow, rowName } from '../helpers/gateway.ts'
import { askOwner, mintGrant } from '../helpers/owner.ts'
import { assertRefused } from '../helpers/refused.ts'
import { SHAPES } from '../helpers/shapes.ts'

flow('a line that an owner puts on a grant holds for the next call', {}, async (t, gateway) => {
  for (const shape of SHAPES) {
    const { id, token } = await mintGrant(gateway, 'tools = HTTP_*')
    const other = gateway.mint('tools = HTTP_*')
    const child = narrowToken(token, ['uses <= 9'])
    const ask = (one: string, method = 'DELETE') => gateway.ask(shape, { token: one, method })
    t.equal((await ask(token)).status, 200, `${shape}: before`)
    const line = 'tools = HTTP_GET'
    await askOwner(gateway, 'POST', `/api/grants/${id}/leash`, { lines: [line] })
    for (const one of [token, child]) {
      const got = await ask(one)
      const expected = { status: 403, code: 'tool_not_granted', name: `${shape}: after` }
      assertRefused(t, gateway, got, expected)
      const reasons = [{ axis: 'tools', caveat: line, leash: true, got: 'HTTP_DELETE' }]
      t.match(JSON.parse(got.text), { reasons }, 'the line is told apart from the token’s')
      t.match(gateway.receipt(got.header('receipt')), { reasons })
    }
    t.equal((await ask(token, 'GET')).status, 200, `${shape}: what it leaves`)
    t.equal((await ask(other)).status, 200, `${shape}: another grant`)
    const { body } = await askOwner(gateway, 'GET', `/api/grants/${id}`)
    t.match(body, { leash: [{ line, says: /./ }], lines: ['tools = HTTP_*'] })
  }
  const told = () => gateway.records().filter(({ event }) => event === 'grant_leashed').length
  t.ok(await eventually(() => told() === SHAPES.length), 'each is an event of the ledger')
})

flow(
  'a line about arguments has them read, and its uses are counted',
  { rows: [{ name: 'NOTE', method: 'POST', path: '/notes' }] },
  async (t, gateway) => {
    for (const shape of SHAPES) {
      const { id, token } = await mintGrant(gateway, 'tools = *')
      const name = rowName('NOTE', shape)
      const ask = (kind: string) =>
        gateway.ask(shape, {
          token,
          method: 'POST',
          path: '/notes',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ kind }),
        })
      t.equal((await ask('bad')).status, 200, `${shape}: before`)
      const lines = [`arg ${name}.kind = good`, 'uses <= 2']
      await askOwner(gateway, 'POST', `/api/grants/${id}/leash`, { lines })
      t.match(JSON.parse((await ask('bad')).text), {
        code: 'arg_refused',
        reasons: [{ caveat: lines[0], leash: true }],
      })
      t.equal((await ask('good')).status, 200)
      t.equal((await ask('good')).status, 200)
      const spent = JSON.parse((await ask('good')).text)
      t.match(spent, { code: 'uses_spent', reasons: [{ caveat: 'uses <= 2', leash: true }] })
      const { body } = await askOwner(gateway, 'GET', `/api/grants/${id}`)
      t.match(body, { uses: [{ limit: 2, used: 2, leash: true }] }, shape)
    }
  },
)

flow(
  'a stream that the new line forbids is cut, and one that it leaves goes on',
  {
    serve: (_req, res) =>
      void res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: x\n\n'),
  },
  async (t, gateway) => {
    const { id, token } = await mintGrant(gateway, 'tools = HTTP_*')
    const lives = await Promise.all(
      SHAPES.flatMap((shape) =>
        ['GET', 'DELETE'].map((method) => gateway.open(shape, { token, method })),
      ),
    )
    await Promise.all(lives.map(({ body }) => once(body, 'readable')))
    const began = Date.now()
    await askOwner(gateway, 'POST', `/api/grants/${id}/leash`, { lines: ['tools = HTTP_GET'] })
    for (const [at, live] of lives.entries()) {
      const receipt = () => gateway.receipt(live.header('receipt'))
      if (at % 2 === 0) continue
      live.body.on('error', () => undefined).resume()
      t.ok(await eventually(() => receipt()?.outcome !== undefined))
      t.match(receipt(), {
        tool: 'HTTP_DELETE',
        outcome: 'failed',
        code: 'tool_not_granted',
        ran: true,
        reasons: [{ caveat: 'tools = HTTP_GET', leash: true }],
      })
    }
    t.comment(`cut within ${Date.now() - began} ms`)
    for (const [at, live] of lives.entries()) {
      if (at % 2 === 0)
        t.equal(gateway.receipt(live.header('receipt'))?.outcome, undefined, 'goes on')
      live.leave()
    }
  },
)

flow('a leash can end the grant', {}, async (t, gateway) => {
  const { id, token } = await mintGrant(gateway, 'tools = HTTP_*')
  const past = 'expires < 2020-01-01T00:00:00Z'
  await askOwner(gateway, 'POST', `/api/grants/${id}/leash`, { lines: [past] })
  for (const shape of SHAPES) {
    const got = await gateway.ask(shape, { token })
    assertRefused(t, gateway, got, { status: 403, code: 'expired', name: shape })
    t.match(JSON.parse(got.text), { reasons: [{ caveat: past, leash: true }] })
  }
})
