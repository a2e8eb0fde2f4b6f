import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Test } from 'tap'
import { portOf } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'
import { valuesOf } from './message.ts'
import { get, WIRES } from './probe.ts'
import { answerTo, proxyFields, upgradeIn, UPGRADES } from './refusal-cases.ts'
import { wire } from './suite.ts'
import type { Bench } from './suite.ts'
import { fill, openTcp, openWire, readHead } from './wires.ts'

// The field that tells a refusal of the gateway has one name at every door, and the owner may choose it.

const NAME = 'x-said-no'
const MOST_TUNNELS = 8
const HTTP1 = WIRES.filter((shape) => shape !== 'ws' && shape !== 'wss')

/** What can be read of an answer's fields. */
type Header = (name: string) => string | undefined

const saidBy = (header: Header) => [header(NAME), header('refused')]

async function overHttp(port: number, method: string, path: string): Promise<Header> {
  const asked = request({ host: '127.0.0.1', port, method, path, agent: false }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return (name) => answer.headers[name] as string | undefined
}

async function refuseCalls(t: Test, { gateway }: Bench): Promise<void> {
  const token = gateway.mint('tools = NONE')
  for (const shape of SHAPES) {
    const { header } = await gateway.ask(shape, { token })
    t.same(saidBy(header), ['tool_not_granted', undefined], shape)
  }
  for (const shape of UPGRADES) {
    const { header } = await upgradeIn(shape, gateway, { token })
    t.same(saidBy(header), ['tool_not_granted', undefined], `upgrade, ${shape}`)
  }
  const { header } = await gateway.ask('tunnel-h2', {
    token,
    headers: { 'content-type': 'application/grpc' },
  })
  t.same(saidBy(header), ['tool_not_granted', undefined], 'gRPC')
}

/** What is said before anything can be asked for, or in place of it. */
async function refuseHeads(t: Test, bench: Bench): Promise<void> {
  const { gateway, token } = bench
  for (const shape of HTTP1)
    for (const [code, field] of [
      ['malformed_request', 'X A: 1'],
      ['headers_too_large', `X-A: ${'a'.repeat(5_000)}`],
    ] as const) {
      const bytes = fill(shape, token, { bytes: get(field), id: 'never' })
      const { header } = await answerTo(await openWire(shape, bench), bytes)
      t.same(saidBy(header), [code, undefined], shape)
    }
  for (const [code, target, fields] of [
    ['token_missing', 'api.test:443', ''],
    ['malformed_request', 'api.test', proxyFields(token)],
    ['tool_not_granted', 'blind.test:443', proxyFields(gateway.mint('tools = NONE'))],
  ] as const) {
    const bytes = `CONNECT ${target} HTTP/1.1\r\nHost: api.test\r\n${fields}\r\n`
    const { header } = await answerTo(await openTcp(gateway.proxyPort), bytes)
    t.same(saidBy(header), [code, undefined], `CONNECT ${target}`)
  }
}

/** Opens tunnels until there are too many. */
async function overload(t: Test, { gateway, token }: Bench): Promise<void> {
  const open: Socket[] = []
  t.teardown(() => open.forEach((socket) => socket.destroy()))
  const head = `CONNECT api.test:443 HTTP/1.1\r\nHost: api.test\r\n${proxyFields(token)}\r\n`
  let answer = ''
  while (!answer.startsWith('HTTP/1.1 503 ') && open.length <= MOST_TUNNELS) {
    const socket = await openTcp(gateway.proxyPort)
    open.push(socket)
    socket.write(head)
    answer = await readHead(socket)
  }
  const fields = answer.split('\r\n').slice(1)
  const header = (name: string) => valuesOf(fields, name)[0]
  t.same(saidBy(header), ['overloaded', undefined], 'one tunnel too many')
}

wire(
  'a refusal is told by the field that the owner has named',
  async (t, bench) => {
    const { gateway } = bench
    await refuseCalls(t, bench)
    await refuseHeads(t, bench)
    await overload(t, bench)
    const owner = portOf(gateway.gateway.addresses.owner)
    for (const [code, port, method, path] of [
      ['not_found', gateway.proxyPort, 'GET', '/g/nothing'],
      ['method_not_allowed', gateway.proxyPort, 'POST', '/healthz'],
      ['owner_key_missing', owner, 'GET', '/api/grants'],
    ] as const)
      t.same(saidBy(await overHttp(port, method, path)), [code, undefined], path)
    t.same(bench.recorder.connections, [], 'nothing of it went on')
  },
  {
    config: {
      headers: { refused: NAME },
      limits: { drain_ms: 200, max_header_bytes: 4_096, max_tunnels: MOST_TUNNELS },
    },
    routes: () => [{ name: 'blind', hosts: ['blind.test:443'], intercept: false }],
  },
)
