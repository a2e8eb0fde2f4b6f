import { once } from 'node:events'
import t, { type Test } from 'tap'
import { WebSocket, WebSocketServer } from 'ws'
import { createBuildKey, narrowToken, verifyToken } from '../../policy/index.ts'
import type { ChildGateway } from '../helpers/child.ts'
import { eventually, type Setup } from '../helpers/gateway.ts'
import { startCluster } from '../helpers/postgres.ts'
import { receiptOf } from '../helpers/records.ts'
import { HOST, openIn, openTunnel } from '../helpers/shapes.ts'
import { revokeAt, startShared } from '../helpers/shared.ts'

// What is revoked at one gateway ends at the others: that within a second it does is what the product promises.

const WITHIN_MS = 1000

const server = new WebSocketServer({ noServer: true })

const SETUP: Setup = {
  serve(req, res) {
    if (req.url === '/short') return void res.end('ok')
    res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: x\n\n')
  },
  upgrade: (req, socket, head) => server.handleUpgrade(req, socket, head, () => {}),
}

type Ends = Readonly<Record<string, Promise<unknown>>>

async function openStream(gateway: ChildGateway, token: string) {
  const live = await openIn('absolute', gateway, { token, path: '/events' })
  await once(live.body, 'readable')
  const broken = new Promise((resolve) => live.body.once('error', resolve))
  live.body.resume()
  return { ...live, broken }
}

async function openSocket(gateway: ChildGateway, token: string): Promise<WebSocket> {
  const tunnel = await openTunnel(gateway, token, `${HOST}:80`)
  const ws = new WebSocket(`ws://${HOST}/`, { createConnection: () => tunnel })
  await once(ws, 'open')
  return ws
}

/** Revokes, and waits for all that must end; each is told with the time that it took. */
async function assertEnds(t: Test, revoke: () => Promise<number>, ends: Ends): Promise<void> {
  const began = performance.now()
  const took = Object.entries(ends).map(async ([name, end]) => {
    await end
    return [name, Math.round(performance.now() - began)] as const
  })
  t.equal(await revoke(), 200, 'the owner’s door revoked it')
  for (const [name, ms] of await Promise.all(took)) {
    t.comment(`${name} ended ${ms} ms after it was revoked at another gateway`)
    t.ok(ms < WITHIN_MS, `${name}: ${ms} ms`)
  }
}

const cluster = await startCluster(t)
if (cluster !== undefined)
  // About twenty seconds: three processes, and a database.
  await t.test('three gateways over one database', async (t) => {
    const blind = { ...SETUP, upstream: { intercept: false } }
    const url = await cluster.createDatabase()
    const { gateways, mint, key } = await startShared(t, url, [{}, SETUP, blind])
    const [first, second, third] = gateways
    if (!first || !second || !third) throw new Error('three gateways were started')

    await t.test('streams, sockets and tunnels of the others end', async (t) => {
      const { id, token } = mint('tools = *')
      const stream = await openStream(second, token)
      const ws = await openSocket(second, token)
      const tunnel = await openTunnel(third, token, `${HOST}:80`)
      const closed = once(ws, 'close')
      await assertEnds(t, () => revokeAt(first, id), {
        'an event stream': stream.broken,
        'a WebSocket': closed,
        'a tunnel': once(tunnel, 'close'),
      })
      const [code, reason] = (await closed) as [number, Buffer]
      t.same([code, reason.toString()], [1008, 'revoked'])
      const receipt = () => receiptOf(second.state, stream.header('receipt'))
      t.ok(await eventually(() => receipt()?.outcome !== undefined))
      t.match(receipt(), { outcome: 'failed', code: 'revoked' })
    })

    await t.test('a request in an open tunnel is refused', async (t) => {
      const { id, token } = mint('tools = *')
      const tunnel = await openTunnel(second, token, `${HOST}:80`)
      let text = ''
      tunnel.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
      const ask = async (pattern: RegExp) => {
        text = ''
        tunnel.write(`GET /short HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`)
        await eventually(() => text.includes('\r\n\r\n'), 2000)
        return pattern.test(text)
      }
      t.ok(await ask(/^HTTP\/1\.1 200 /), 'it serves')
      const refused = eventually(() => ask(/^HTTP\/1\.1 403 [^]*refused: revoked/i))
      await assertEnds(t, () => revokeAt(first, id), { 'a request in a tunnel': refused })
      t.ok(await refused)
      tunnel.destroy()
    })

    await t.test('one narrowed branch dies, its sibling and its parent live', async (t) => {
      const { token: root } = mint('tools = *')
      const [left, right] = ['left', 'right'].map((name) => narrowToken(root, [`task = ${name}`]))
      if (left === undefined || right === undefined) throw new Error('both were made')
      const below = narrowToken(left, ['uses <= 9'])
      const link = verifyToken(left, [createBuildKey(key)]).link
      const dying = await Promise.all([left, below].map((token) => openStream(second, token)))
      const living = await Promise.all([root, right].map((token) => openStream(second, token)))
      const [deadSocket, liveSocket] = await Promise.all([
        openSocket(second, below),
        openSocket(second, right),
      ])
      const closed = once(deadSocket, 'close')
      let broken = 0
      for (const stream of living) void stream.broken.then(() => (broken += 1))
      liveSocket.once('close', () => (broken += 1))
      await assertEnds(t, () => revokeAt(first, link), {
        'the branch': dying[0]?.broken ?? Promise.resolve(),
        'what was narrowed from it': dying[1]?.broken ?? Promise.resolve(),
        'its WebSocket': closed,
      })
      const [code, reason] = (await closed) as [number, Buffer]
      t.same([code, reason.toString()], [1008, 'revoked'])
      for (const [token, status] of [
        [left, 403],
        [below, 403],
        [right, 200],
        [root, 200],
      ] as const)
        t.equal((await openIn('absolute', second, { token, path: '/short' })).status, status)
      t.equal(broken, 0, 'the others are still open')
      for (const stream of living) stream.leave()
      liveSocket.terminate()
    })
  })
