import { readFileSync } from 'node:fs'
import { forge } from '../helpers/forge.ts'
import { flow } from '../helpers/gateway.ts'
import type { TestGateway } from '../helpers/gateway.ts'
import { metricOf, ofExchanges } from '../helpers/records.ts'
import { assertRefused } from '../helpers/refused.ts'
import { HOST, openTunnel } from '../helpers/shapes.ts'

const buildKeyOf = ({ state }: TestGateway) => readFileSync(`${state}/build.key`, 'utf8').trim()

/** Tokens of every bad kind, with the code of each. */
function badTokens(gateway: TestGateway): readonly (readonly [code: string, token: string])[] {
  const good = gateway.mint('tools = HTTP_*')
  const [head = '', payload = '', signature = ''] = good.split('.')
  const made = (...lines: string[]) => forge(buildKeyOf(gateway), 'made', lines)
  return [
    ['token_malformed', 'sk-some-other-key-0123456789'],
    ['token_malformed', `${head}.${payload}`],
    ['token_malformed', `${good}=`],
    ['token_malformed', `${head}.${payload}.${signature.slice(1)}`],
    ['token_malformed', `g2.${payload}.${signature}`],
    ['token_malformed', made(...Array.from({ length: 65 }, () => 'tools = HTTP_*'))],
    [
      'token_malformed',
      made(...Array.from({ length: 3 }, (_, at) => `tools = ${String(at).repeat(3000)}`)),
    ],
    ['token_forged', forge('another-build-key-of-32-bytes-00', 'made', ['tools = *'])],
    ['token_forged', `${head}.${payload}.${Buffer.alloc(32).toString('base64url')}`],
    ['token_unknown_caveat', made('tools = *', 'moon = full')],
    ['token_unknown_caveat', made('uses < 3')],
    ['token_unknown_caveat', made('task = T-7', 'task = T-8')],
    ['token_not_delegable', made('delegate = no', 'tools = HTTP_GET')],
    ['keys_misplaced', made('tools = *', 'keys = alice')],
  ]
}

flow('tokens of every bad kind', {}, async (t, gateway) => {
  for (const [code, token] of badTokens(gateway))
    for (const shape of ['absolute', 'mount'] as const) {
      const got = await gateway.ask(shape, { token })
      const direct = shape === 'absolute' ? 407 : 401
      const status = code === 'keys_misplaced' ? 403 : direct
      assertRefused(t, gateway, got, { status, code, name: `${shape}: ${code}` })
    }
  t.equal(gateway.upstreams.arrived.length, 0)
})

flow('tokens of every bad kind on CONNECT', {}, async (t, gateway) => {
  for (const [code, token] of badTokens(gateway)) {
    const refused = await openTunnel(gateway, token, `${HOST}:443`).catch((error: unknown) => error)
    t.match(refused, { status: code === 'keys_misplaced' ? 403 : 407 }, code)
    t.match(ofExchanges(gateway.records()).at(-1), {
      kind: 'refusal',
      code,
      ran: false,
      upstream: { method: 'CONNECT' },
    })
  }
})

flow('no credentials at all are a challenge and no receipt', {}, async (t, gateway) => {
  const proxied = await gateway.ask('absolute', { token: undefined })
  t.same([proxied.status, proxied.header('proxy-authenticate')], [407, 'Basic realm="narrowgate"'])
  const mounted = await gateway.ask('mount', { token: undefined })
  t.equal(mounted.status, 401)
  const refused = await openTunnel(gateway, undefined, `${HOST}:443`).catch(
    (error: unknown) => error,
  )
  t.match(refused, { status: 407 })
  t.equal(metricOf(await gateway.metrics(), 'narrowgate_requests_challenged_total'), 3)
  t.notOk(gateway.records().some(({ kind }) => kind === 'refusal'))
})
