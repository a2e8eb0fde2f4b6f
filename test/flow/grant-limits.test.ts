import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import { statePaths } from '../../gateway/state/paths.ts'
import { createBuildKey, narrowToken, verifyToken } from '../../policy/index.ts'
import { eventually, flow } from '../helpers/gateway.ts'
import { askOwner, mintGrant } from '../helpers/owner.ts'
import { SHAPES } from '../helpers/shapes.ts'
import { metricOf } from '../helpers/records.ts'

flow(
  'a grant that calls too often is told when to try again, whoever holds it',
  { config: { grants: { limits: { calls_per_minute: 5 } } } },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*', 'uses <= 100')
    for (const shape of SHAPES) t.equal((await gateway.ask(shape, { token })).status, 200, shape)
    const narrower = narrowToken(token, ['tools = HTTP_GET'])
    for (const shape of SHAPES) {
      const got = await gateway.ask(shape, { token: narrower })
      t.same([got.status, got.header('refused')], [429, 'rate_limited'], shape)
      t.match(got.header('retry-after'), /^(?:[1-9]|1[0-2])$/)
      t.match(JSON.parse(got.text), {
        ran: false,
        reasons: [{ axis: 'grant', got: 'more than 5 calls a minute' }],
      })
      t.match(gateway.receipt(got.header('receipt')), { outcome: 'refused', code: 'rate_limited' })
    }
    t.equal(gateway.upstreams.arrived.length, SHAPES.length)
    t.equal((await gateway.ask('absolute', { token: gateway.mint('tools = HTTP_*') })).status, 200)
    t.equal(metricOf(await gateway.metrics(), 'narrowgate_uses_spent_total'), SHAPES.length)
  },
)

flow(
  'a dead token is told that it is, however often it calls, and takes nothing of the grant’s rate',
  { config: { grants: { limits: { calls_per_minute: 2 } } } },
  async (t, gateway) => {
    const { id, token } = await mintGrant(gateway, 'tools = HTTP_*')
    const revoke = (body = {}) => askOwner(gateway, 'POST', `/api/grants/${id}/revoke`, body)
    const codes = async (which: string) => {
      const all = []
      for (const shape of SHAPES)
        all.push((await gateway.ask(shape, { token: which })).header('refused'))
      return all
    }
    const branch = narrowToken(token, ['tools = HTTP_GET'])
    const key = createBuildKey(readFileSync(statePaths(gateway.state).buildKey, 'utf8').trim())
    await revoke({ link: verifyToken(branch, [key]).link })
    const revoked = SHAPES.map(() => 'revoked')
    t.same(await codes(branch), revoked, 'a branch')
    const limited = ['rate_limited', 'rate_limited', 'rate_limited']
    t.same(await codes(token), [undefined, undefined, ...limited], 'its parent has the whole rate')
    t.same(await codes(branch), revoked, 'over the rate')
    await revoke()
    t.same(await codes(token), revoked, 'the grant')
  },
)

for (const engine of ['fast', 'general'])
  flow(
    `${engine}: a call counts as long as it is under way, and a stream is`,
    {
      config: { engine, grants: { limits: { concurrent: 1 } } },
      serve(req, res) {
        res.write('begun')
        if (req.url === '/whole') res.end()
      },
    },
    async (t, gateway) => {
      const token = gateway.mint('tools = HTTP_*')
      for (const shape of SHAPES) {
        const live = await gateway.open(shape, { token })
        await once(live.body, 'data')
        const second = await gateway.ask(shape, { token, path: '/whole' })
        t.same([second.status, second.header('refused')], [429, 'rate_limited'], shape)
        t.equal(second.header('retry-after'), '1')
        live.body.on('error', () => {})
        live.leave()
        const free = async () =>
          (await gateway.ask(shape, { token, path: '/whole' })).status === 200
        t.ok(await eventually(free), 'who goes makes room')
        const next = await gateway.ask(shape, { token, path: '/whole' })
        t.equal(next.status, 200, 'and so does an answer that has ended, at once')
      }
    },
  )

flow(
  'limits are changed under running calls, unlike the rest of the store of grants',
  { config: { grants: { limits: { calls_per_minute: 1 } } } },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const status = async () => (await gateway.ask('absolute', { token })).status
    t.same([await status(), await status()], [200, 429])
    const config = parse(readFileSync(gateway.configFile, 'utf8')) as Record<string, object>
    writeFileSync(gateway.configFile, stringify({ ...config, grants: {} }))
    t.same(await gateway.gateway.reload(), { ok: true })
    t.same([await status(), await status()], [200, 200])
    writeFileSync(gateway.configFile, stringify({ ...config, grants: { stale_ms: 2000 } }))
    t.match(await gateway.gateway.reload(), { ok: false, problems: [{ path: 'grants' }] })
  },
)
