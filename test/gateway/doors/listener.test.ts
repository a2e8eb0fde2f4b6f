import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import { createListener } from '../../../gateway/doors/listener.ts'
import { limitsWith } from '../../../gateway/limits.ts'
import { testEngine } from '../../helpers/engine.ts'
import { temporaryAuthority } from '../tls/_authority.ts'
import { describe, openDoor, openTls, openTunnel, rawClient } from './_door.ts'

const GET = ['GET http://a.test/ HTTP/1.1', 'Host: a.test', '', '']

async function listenAt(t: Test, listen: Parameters<typeof createListener>[0]['listen']) {
  const { authority } = await temporaryAuthority(t)
  const listener = createListener({
    listen,
    authority,
    exchange: describe,
    admit: async () => ({ ok: true, intercept: true }),
    mounts: () => [],
    holder: (_req, res) => void res.end(),
    refusedHeader: () => 'refused',
    engine: testEngine,
    limits: limitsWith(),
    log: { info() {}, warn() {} },
  })
  t.teardown(() => listener.close({ graceMs: 0 }))
  return listener
}

t.test('a unix socket serves as an address, over a file that a killed gateway left', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'narrowgate-door-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'gw.sock')
  const left = createServer().listen(path)
  await new Promise((resolve) => left.once('listening', resolve))
  const rival = await listenAt(t, { kind: 'unix', path })
  await t.rejects(rival.listen(), { code: 'EADDRINUSE' }, 'but not over one that is served')
  t.same(await (await listenAt(t, { kind: 'unix', path: join(folder, 'new.sock') })).listen(), {
    address: join(folder, 'new.sock'),
  })
  left.close()
  await new Promise((resolve) => left.once('close', resolve))
  const listener = await listenAt(t, { kind: 'unix', path })
  await listener.listen()
  const socket = connect(path)
  socket.end(GET.join('\r\n'))
  let answer = ''
  for await (const chunk of socket) answer += chunk
  t.match(answer, /^HTTP\/1\.1 200 /)
})

t.test('a file that is no socket is not removed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'narrowgate-door-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'precious')
  await writeFile(path, 'x')
  await t.rejects((await listenAt(t, { kind: 'unix', path })).listen(), { code: 'EADDRINUSE' })
})

t.test('a port that is taken is told', async (t) => {
  const { port } = await openDoor(t)
  await t.rejects((await listenAt(t, { kind: 'tcp', host: '127.0.0.1', port })).listen(), {
    code: 'EADDRINUSE',
  })
})

t.test('an IPv6 client’s address is written with brackets', async (t) => {
  const listener = await listenAt(t, { kind: 'tcp', host: '::1', port: 0 })
  const { address } = await listener.listen()
  t.match(address, /^\[::1\]:\d+$/)
})

t.test('closing ends idle connections and tunnels at once, running exchanges first', async (t) => {
  let release = () => {}
  const door = await openDoor(t, {
    async exchange(knock) {
      if (knock.path === '/slow') await new Promise<void>((resolve) => (release = resolve))
      return describe(knock)
    },
  })
  const idle = await rawClient(t, door.port)
  idle.send(...GET)
  await idle.until(/"body":""\}/)
  const tunnel = await rawClient(t, door.port, await openTls(t, door))
  const unused = await rawClient(t, door.port, await openTunnel(door, 'api.test:443'))
  const busy = await rawClient(t, door.port)
  busy.send('GET http://a.test/slow HTTP/1.1', ...GET.slice(1))
  while (door.knocks.length < 2) await sleep(5)
  t.equal(door.listener.connections(), 4)

  const closed = door.listener.close({ graceMs: 5_000 })
  await Promise.all([idle.end(), tunnel.end(), unused.end()])
  await t.rejects(rawClientThatConnects(door.port))
  t.equal(busy.seen(), '')
  release()
  t.match(await busy.end(), /^HTTP\/1\.1 200 .*Connection: close\r\n.*"body":""\}$/s)
  await closed
  t.equal(door.listener.connections(), 0)
})

function rawClientThatConnects(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}

t.test('what does not end within the grace is cut', async (t) => {
  const door = await openDoor(t, { exchange: () => new Promise(() => {}) })
  const client = await rawClient(t, door.port)
  client.send(...GET)
  while (door.knocks.length === 0) await sleep(5)
  const begun = Date.now()
  await door.listener.close({ graceMs: 100 })
  t.ok(Date.now() - begun < 2_000)
  t.equal(door.knocks[0]?.signal.aborted, true)
})

t.test('connections over the limit are closed', async (t) => {
  const door = await openDoor(t, { limits: { maxConnections: 2 } })
  const clients = await Promise.all([1, 2, 3].map(() => rawClient(t, door.port)))
  await Promise.race(clients.map((client) => client.end()))
  t.equal(door.listener.connections(), 2)
})

t.test('an idle connection is closed', async (t) => {
  const door = await openDoor(t, { limits: { idleMs: 200 } })
  const client = await rawClient(t, door.port)
  client.send(...GET)
  t.match(await client.end(), /^HTTP\/1\.1 200 /)
})

t.test(
  'an exchange that breaks its promise never to reject cuts its connection alone',
  async (t) => {
    const door = await openDoor(t, { exchange: () => Promise.reject(new Error('broken promise')) })
    const client = await rawClient(t, door.port)
    client.send(...GET)
    t.equal(await client.end(), '')
    t.equal((await rawClient(t, door.port)).socket.destroyed, false)
  },
)
