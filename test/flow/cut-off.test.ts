import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { WebSocket, WebSocketServer } from 'ws'
import { SecretText } from '../../adapters/keys/secret.ts'
import { createSessions } from '../../gateway/persons/session.ts'
import { statePaths } from '../../gateway/state/paths.ts'
import { eventually, flow } from '../helpers/gateway.ts'
import type { Setup, TestGateway } from '../helpers/gateway.ts'
import { HOST, openTunnel, SHAPES } from '../helpers/shapes.ts'
import type { Live } from '../helpers/shapes.ts'

// What is open when a grant ends, ends within a second. Revoked as another process does it.

const server = new WebSocketServer({ noServer: true })

const SETUP: Setup = {
  serve(req, res) {
    if (req.url === '/short') return void res.end('ok')
    res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: x\n\n')
  },
  upgrade: (req, socket, head) => server.handleUpgrade(req, socket, head, () => {}),
}

/** A second for the rule, and some more for a machine that is busy. */
const WITHIN_MS = 1500

const soon = (seconds: number) =>
  `expires < ${new Date(Math.ceil(Date.now() / 1000) * 1000 + seconds * 1000).toISOString().replace('.000', '')}`

/** Whether the client sees the stream break; a clean end would look like all of it. */
async function howItEnds({ body }: Live): Promise<'whole' | 'broken'> {
  try {
    for await (const _ of body);
    return 'whole'
  } catch {
    return 'broken'
  }
}

async function openAll(
  gateway: TestGateway,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Live[]> {
  const lives = await Promise.all(
    SHAPES.map((shape) => gateway.open(shape, { token, path: '/events', headers })),
  )
  await Promise.all(lives.map(({ body }) => once(body, 'readable')))
  return lives
}

async function assertAllCut(
  t: Test,
  gateway: TestGateway,
  lives: readonly Live[],
  code: string,
): Promise<void> {
  const ends = await Promise.all(lives.map(howItEnds))
  t.same(
    ends,
    SHAPES.map(() => 'broken'),
  )
  for (const [at, shape] of SHAPES.entries()) {
    const live = lives[at] as Live
    const receipt = () => gateway.receipt(live.header('receipt'))
    await eventually(() => receipt()?.outcome !== undefined)
    t.match(receipt(), { outcome: 'failed', code, ran: true }, shape)
    live.leave()
  }
}

flow('streams under a grant that is revoked', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  const lives = await openAll(gateway, token)
  const began = Date.now()
  gateway.revoke(String(gateway.receipt(lives[0]?.header('receipt'))?.grant))
  await assertAllCut(t, gateway, lives, 'revoked')
  t.ok(Date.now() - began < WITHIN_MS, `after ${Date.now() - began} ms`)
})

flow('streams under a token that expires', SETUP, async (t, gateway) => {
  const line = soon(1)
  const lives = await openAll(gateway, gateway.mint('tools = HTTP_*', line))
  await assertAllCut(t, gateway, lives, 'expired')
  const late = Date.now() - Date.parse(line.slice('expires < '.length))
  t.ok(late >= 0 && late < WITHIN_MS, `${late} ms after it`)
})

flow('streams under a session that ends', SETUP, async (t, gateway) => {
  // Shorter than the owner's door issues any: whoever has the owner key can.
  const key = readFileSync(statePaths(gateway.state).ownerKey, 'utf8').trim()
  const sessions = createSessions(new SecretText('owner', key), { now: Date.now })
  const { session, expires } = sessions.issue('alice', 2)
  const headers = { 'narrowgate-session': session }
  const lives = await openAll(gateway, gateway.mint('tools = HTTP_*'), headers)
  await assertAllCut(t, gateway, lives, 'session_invalid')
  const late = Date.now() - expires
  t.ok(late >= 0 && late < WITHIN_MS, `${late} ms after it`)
})

flow('the next request in a tunnel', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  const socket = await openTunnel(gateway, token, `${HOST}:80`)
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  const say = async (pattern: RegExp) => {
    text = ''
    socket.write(`GET /short HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`)
    return eventually(() => pattern.test(text), 2000)
  }
  t.ok(await say(/^HTTP\/1\.1 200 /), 'the tunnel serves')
  gateway.revoke(String(gateway.records().find(({ kind }) => kind === 'intent')?.grant))
  await delay(1000)
  t.ok(await say(/^HTTP\/1\.1 403 [^]*refused: revoked/i), 'and refuses')
  socket.destroy()
})

flow('a WebSocket', SETUP, async (t, gateway) => {
  for (const code of ['revoked', 'expired']) {
    const lines = code === 'expired' ? [soon(1)] : []
    const token = gateway.mint('tools = HTTP_*', ...lines)
    const socket = await openTunnel(gateway, token, `${HOST}:80`)
    const ws = new WebSocket(`ws://${HOST}/`, { createConnection: () => socket })
    await once(ws, 'open')
    const intent = gateway.records().findLast(({ kind }) => kind === 'intent')
    if (code === 'revoked') gateway.revoke(String(intent?.grant))
    const began = Date.now()
    const [closed, why] = (await once(ws, 'close')) as [number, Buffer]
    t.same([closed, why.toString()], [1008, code], 'it was closed as RFC 6455 has it')
    t.ok(
      Date.now() - began < WITHIN_MS + lines.length * 2000,
      `${code}: closed after ${Date.now() - began} ms`,
    )
    t.ok(await eventually(() => gateway.receipt(intent?.id)?.outcome !== undefined))
    t.match(gateway.receipt(intent?.id), { outcome: 'failed', code, ran: true })
  }
})

flow(
  'a WebSocket in the midst of a frame',
  {
    // A head that announces a hundred bytes, and ten of them.
    upgrade: (_req, socket) =>
      void socket.write(
        Buffer.concat([
          Buffer.from('HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
          Buffer.from([0x82, 100]),
          Buffer.alloc(10, 7),
        ]),
      ),
  },
  async (t, gateway) => {
    const socket = await openTunnel(gateway, gateway.mint('tools = HTTP_*'), `${HOST}:80`)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    const fields = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
    socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n${fields}\r\nSec-WebSocket-Key: eA==\r\n\r\n`)
    t.ok(await eventually(() => Buffer.concat(chunks).includes(Buffer.alloc(10, 7))))
    const closed = once(socket, 'close')
    const intent = gateway.records().findLast(({ kind }) => kind === 'intent')
    gateway.revoke(String(intent?.grant))
    await closed
    t.ok(Buffer.concat(chunks).subarray(-10).equals(Buffer.alloc(10, 7)), 'nothing is put into it')
    t.ok(await eventually(() => gateway.receipt(intent?.id)?.outcome !== undefined))
    t.match(gateway.receipt(intent?.id), { outcome: 'failed', code: 'revoked' })
  },
)

flow(
  'a tunnel that is not looked into',
  { ...SETUP, upstream: { intercept: false } },
  async (t, gateway) => {
    const token = gateway.mint('tools = *')
    const socket = await openTunnel(gateway, token, `${HOST}:80`)
    const intent = gateway.records().findLast(({ kind }) => kind === 'intent')
    gateway.revoke(String(intent?.grant))
    const began = Date.now()
    await once(socket, 'close')
    t.ok(Date.now() - began < WITHIN_MS, `closed after ${Date.now() - began} ms`)
    t.ok(await eventually(() => gateway.receipt(intent?.id)?.outcome !== undefined))
    t.match(gateway.receipt(intent?.id), { outcome: 'failed', code: 'revoked' })
  },
)
