import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { narrowToken } from '../../../policy/index.ts'
import type { TestGateway } from '../../helpers/gateway.ts'
import { openTunnel, SHAPES } from '../../helpers/shapes.ts'
import type { Live } from '../../helpers/shapes.ts'
import { nothingSent, proofOf } from './scene.ts'

// Too much at one time.

const open: Live[] = []

/** Makes a call whose answer does not end. */
async function callOn(gateway: TestGateway, token: string): Promise<void> {
  const live = await gateway.open('absolute', { token })
  live.body.on('error', () => {})
  await once(live.body, 'data')
  open.push(live)
}

const concurrent = proofOf({
  name: 'a call beside another one of the grant',
  options: {
    answer: () => ({ bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbegun' }),
    config: { grants: { limits: { concurrent: 1 } } },
  },
  calls: [{ code: 'rate_limited', before: callOn, waits: true }],
  end() {
    for (const live of open.splice(0)) live.leave()
  },
})

/** A token of so many KB of lines that were never read before. */
function newLines(token: string, kilobytes: number): string {
  const unique = () => `X${randomBytes(8).toString('hex')}`
  const line = () => `tools = HTTP_GET,${unique()}`.padEnd(1_000, 'x')
  return narrowToken(token, Array.from({ length: kilobytes }, line))
}

/** The last one is let through as well, and leaves a debt of two seconds. */
async function narrowMuch(gateway: TestGateway, token: string): Promise<void> {
  for (const kilobytes of [33, 30, 40]) {
    const { status, text } = await gateway.ask('mount', { token: newLines(token, kilobytes) })
    if (status !== 200) throw new Error(`a token was not let through: ${text}`)
  }
}

const readings = proofOf({
  name: 'a token of new lines, where too many of the grant were new lately',
  options: { config: { limits: { drain_ms: 200, max_token_bytes: 65_536 } } },
  calls: [{ code: 'rate_limited', before: narrowMuch, waits: true }],
})

const tunnels = proofOf({
  name: 'a tunnel beside as many as there may be',
  options: { config: { limits: { drain_ms: 200, max_tunnels: 1 } } },
  async begin({ gateway, token }, t) {
    const tunnel = await openTunnel(gateway, token, 'api.test:443')
    t.teardown(() => tunnel.destroy())
  },
  connects: [{ code: 'overloaded', receipt: false, waits: true }],
  end: nothingSent,
})

const BIG = { headers: { 'x-big': 'a'.repeat(5_000) } }
const OVER_HTTP1 = SHAPES.filter((shape) => shape !== 'tunnel-h2')

const fields = proofOf({
  name: 'more header fields than are read',
  options: { config: { limits: { drain_ms: 200, max_header_bytes: 4_096 } } },
  calls: [
    // What the parser of HTTP/1.1 refuses no exchange has seen.
    { code: 'headers_too_large', asked: BIG, on: OVER_HTTP1, receipt: false },
    { code: 'headers_too_large', asked: BIG, on: ['tunnel-h2'] },
  ],
  connects: [
    {
      code: 'headers_too_large',
      connect: { fields: `X-Big: ${'a'.repeat(5_000)}\r\n` },
      receipt: false,
    },
  ],
  end: nothingSent,
})

export const LIMITS = [concurrent, readings, tunnels, fields]
