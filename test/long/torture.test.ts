import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { forge } from '../helpers/forge.ts'
import { eventually, flow } from '../helpers/gateway.ts'
import type { Setup, TestGateway } from '../helpers/gateway.ts'
import { metricOf } from '../helpers/records.ts'
import { basic, HOST, openTunnel, SHAPES } from '../helpers/shapes.ts'
import type { Shape } from '../helpers/shapes.ts'

// Clients and upstreams with all the bad manners that the gateway has a timer or a rule for, all at the same time.
// What becomes of each is tested elsewhere; here it is that none is lost, doubled or left open.

const ROUNDS = 4

interface Client {
  readonly gateway: TestGateway
  readonly token: string
  readonly shape: Shape
  /** Tells this call from all others. */
  readonly path: string
}

/** A byte now and then, until the other side has had enough. */
async function trickle(socket: Socket, bytes: string): Promise<void> {
  for (let at = 0; !socket.destroyed; at++) {
    socket.write(bytes[at % bytes.length] ?? '')
    await delay(30)
  }
}

async function leaveAfter({ gateway, token, shape, path }: Client, ms: number): Promise<void> {
  const leaving = new AbortController()
  setTimeout(() => leaving.abort(), ms)
  const live = await gateway.open(shape, { token, path, signal: leaving.signal })
  live.body.on('error', () => {}).resume()
  setTimeout(() => live.leave(), ms)
}

function raw({ gateway }: Client): Promise<Socket> {
  const socket = connect(gateway.proxyPort, '127.0.0.1')
  socket.on('error', () => {}).resume()
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)))
}

const ask = ({ gateway, token, shape, path }: Client, kind: string, more: object = {}) =>
  gateway.ask(shape, { token, path: `/${kind}${path}`, ...more })

const MANNERS: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'is good': (client) => ask(client, 'ok'),
  'sends a body': (client) => ask(client, 'ok', { method: 'POST', body: 'x'.repeat(10_000) }),
  'meets a reset': (client) => ask(client, 'reset', { method: 'POST', body: 'x' }),
  'meets half an answer': (client) => ask(client, 'half'),
  'meets silence': (client) => ask(client, 'silent'),
  'meets an answer without an end': (client) => ask(client, 'endless'),
  'goes before the answer': (client) =>
    leaveAfter({ ...client, path: `/silent${client.path}` }, 60),
  'goes in the answer': (client) => leaveAfter({ ...client, path: `/endless${client.path}` }, 200),
  'goes in its body': (client) => {
    const leaving = new AbortController()
    setTimeout(() => leaving.abort(), 150)
    const body = Readable.from(
      (async function* () {
        for (let at = 0; at < 100; at++) yield await delay(20, Buffer.from('x'))
      })(),
    )
    return ask(client, 'ok', { method: 'POST', body, signal: leaving.signal })
  },
  'trickles its body': (client) => {
    const body = Readable.from(
      (async function* () {
        for (let at = 0; at < 100; at++) yield await delay(30, Buffer.from('x'))
      })(),
    )
    return ask(client, 'ok', { method: 'POST', headers: { 'content-length': '100' }, body })
  },
  'brings a forged token': (client) =>
    ask({ ...client, token: forge('x'.repeat(43), 'nobody', ['tools = *']) }, 'ok'),
  'brings no token': ({ gateway, shape, path }) => gateway.ask(shape, { token: undefined, path }),
  'is not allowed': (client) => ask(client, 'ok', { method: 'DELETE' }),
  'trickles its head': async (client) => trickle(await raw(client), 'GET / HTTP/1.1\r\nX: '),
  'trickles its hello': async (client) => {
    const { gateway, token } = client
    await trickle(
      await openTunnel(gateway, token, `${HOST}:443`),
      '\x16\x03\x01\x01\x00\x01\x00\x00',
    )
  },
  'says nothing in its tunnel': async ({ gateway, token }) => {
    const socket = await openTunnel(gateway, token, `${HOST}:80`)
    await new Promise((resolve) => socket.resume().once('close', resolve))
  },
  'says nonsense': async (client) => (await raw(client)).end('nonsense\r\n\r\n'),
  'says half a head and goes': async (client) => (await raw(client)).end('GET http://api'),
  'leaves after its request': async ({ gateway, token, path }) => {
    const socket = connect(gateway.proxyPort, '127.0.0.1')
    socket.on('error', () => {}).resume()
    const credentials = `Proxy-Authorization: ${basic(`agent:${token}`)}`
    const head = [`GET http://${HOST}/silent${path} HTTP/1.1`, `Host: ${HOST}`, credentials, '', '']
    socket.write(head.join('\r\n'), () => setTimeout(() => socket.destroy(), 5))
  },
}

const arrived: string[] = []

const SETUP: Setup = {
  config: {
    limits: {
      head_ms: 500,
      handshake_ms: 500,
      body_ms: 1_000,
      drain_ms: 200,
      upstream_head_ms: 1_200,
      upstream_total_ms: 1_500,
    },
  },
  serve(req, res) {
    arrived.push(`${req.method} ${req.url}`)
    const kind = req.url?.split('/')[1] ?? ''
    if (kind === 'reset') return void req.socket.destroy()
    if (kind === 'half') return void res.write('half', () => req.socket.destroy())
    if (kind === 'silent') return
    if (kind === 'endless') {
      const timer = setInterval(() => res.write('more'), 40)
      return void res.once('close', () => clearInterval(timer))
    }
    req.on('error', () => {}).resume()
    req.once('end', () => res.end('ok'))
  },
}

for (const engine of ['fast', 'general'])
  flow(
    `${engine}: bad manners of every kind`,
    { ...SETUP, config: { ...SETUP.config, engine } },
    async (t, gateway) => {
      arrived.length = 0
      const token = gateway.mint('tools = HTTP_GET,HTTP_POST')
      const clients: Promise<unknown>[] = []
      for (let round = 0; round < ROUNDS; round++)
        for (const [at, [manner, act]] of Object.entries(MANNERS).entries()) {
          const shape = SHAPES[(round + at) % SHAPES.length] ?? 'absolute'
          const path = `/${round}/${encodeURIComponent(manner)}`
          clients.push(act({ gateway, token, shape, path }).catch(() => 'broken off'))
        }
      await Promise.all(clients)
      const tunnels = async () => metricOf(await gateway.metrics(), 'narrowgate_tunnels_open')
      t.ok(await eventually(async () => (await tunnels()) === 0), 'no tunnel is left')
      const posts = arrived.filter((line) => line.startsWith('POST'))
      t.ok(posts.length > ROUNDS, 'there were bodies')
      t.equal(new Set(posts).size, posts.length, 'no POST came twice')
      t.equal((await gateway.ask('absolute', { token, path: '/ok' })).status, 200, 'it goes on')
      const ends = new Set(gateway.records().flatMap(({ outcome }) => outcome ?? []))
      t.same([...ends].sort(), ['allowed', 'failed', 'gone', 'refused'])
    },
  )
