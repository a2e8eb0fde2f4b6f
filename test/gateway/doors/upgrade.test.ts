import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import t from 'tap'
import { WebSocket, WebSocketServer } from 'ws'
import type { Exchange } from '../../../gateway/knock.ts'
import { describe, openDoor, openTls, openTunnel, rawClient } from './_door.ts'

const UPGRADE = [
  'Connection: keep-alive, Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

/** An exchange that joins each upgrade to a WebSocket server which says hello and then echoes. */
function joining(t: Test): Exchange {
  const web = createServer().listen(0, '127.0.0.1')
  const sockets = new WebSocketServer({ server: web })
  sockets.on('connection', (socket) => {
    socket.send('hello')
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
    socket.on('error', () => {})
  })
  t.teardown(() => {
    for (const client of sockets.clients) client.terminate()
    web.close()
  })
  return async (knock) => {
    if (!knock.upgrade) return describe(knock)
    const upstream = connect((web.address() as AddressInfo).port, '127.0.0.1')
    const lines: string[] = []
    for (let at = 0; at < knock.headers.length; at += 2)
      lines.push(`${knock.headers[at]}: ${knock.headers[at + 1]}`)
    upstream.write(`GET ${knock.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    const head = await readHead(upstream)
    const [, ...fields] = head.split('\r\n')
    return {
      status: 101,
      statusText: 'Switching Protocols',
      headers: fields.flatMap((line) => line.split(': ')).filter(Boolean),
      body: null,
      socket: upstream,
    }
  }
}

/** Reads a head and puts what came behind it back. */
async function readHead(socket: Socket): Promise<string> {
  let heard = Buffer.alloc(0)
  for (;;) {
    heard = Buffer.concat([
      heard,
      await new Promise<Buffer>((resolve) => socket.once('data', resolve)),
    ])
    socket.pause()
    const end = heard.indexOf('\r\n\r\n')
    if (end >= 0) {
      socket.unshift(heard.subarray(end + 4))
      return heard.subarray(0, end).toString('latin1')
    }
    socket.resume()
  }
}

async function converse(t: Test, socket: WebSocket): Promise<void> {
  const next = () =>
    new Promise<Buffer>((resolve) => socket.once('message', (data) => resolve(data as Buffer)))
  t.equal(String(await next()), 'hello', 'the first frame, sent right behind the head')
  for (const size of [5, 70_000]) {
    socket.send(Buffer.alloc(size, 'x'))
    t.equal((await next()).length, size)
  }
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.close(4001, 'enough')
  t.equal(await closed, 4001)
}

t.test('a WebSocket in absolute form', async (t) => {
  const door = await openDoor(t, { exchange: joining(t) })
  for (const scheme of ['ws', 'http']) {
    const client = await rawClient(t, door.port)
    client.send(`GET ${scheme}://api.test/chat HTTP/1.1`, 'Host: api.test', ...UPGRADE, '', '')
    const head = await client.until(/\r\n\r\n/)
    t.match(head, /^HTTP\/1\.1 101 Switching Protocols\r\n/)
    t.match(head, /Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/)
    t.equal(head.match(/^(?:Connection: Upgrade|Upgrade: websocket)$/gim)?.length, 2)
    t.match(await client.until(/hello/), /hello/)
  }
  t.match(door.knocks, [
    { upgrade: true, shape: 'absolute', path: '/chat', body: null },
    { upgrade: true },
  ])
})

t.test('a WebSocket in a clear tunnel', async (t) => {
  const door = await openDoor(t, { exchange: joining(t) })
  const socket = await openTunnel(door, 'api.test:80')
  const client = new WebSocket('ws://api.test/chat', { createConnection: () => socket })
  await converse(t, client)
  t.match(door.knocks, [{ upgrade: true, shape: 'tunnel-clear' }])
  t.equal(door.knocks[0]?.signal.aborted, false)
})

t.test('a WebSocket in a TLS tunnel', async (t) => {
  const door = await openDoor(t, { exchange: joining(t) })
  const socket = await openTls(t, door)
  const client = new WebSocket('wss://api.test/chat', { createConnection: () => socket })
  await converse(t, client)
  t.match(door.knocks, [{ upgrade: true, shape: 'tunnel-tls' }])
})

t.test('a WebSocket through a mount', async (t) => {
  const to = { scheme: 'https', host: 'api.test', port: 443 } as const
  const mounts = () => [
    { prefix: '/api', host: undefined, to, basePath: '', slot: 'authorization' as const },
  ]
  const door = await openDoor(t, { exchange: joining(t), mounts })
  await converse(t, new WebSocket(`ws://127.0.0.1:${door.port}/api/chat`))
  t.match(door.knocks, [{ upgrade: true, shape: 'mount', path: '/chat' }])
})

t.test('frames that the client sends with its head are delivered', async (t) => {
  const door = await openDoor(t, { exchange: joining(t) })
  const client = await rawClient(t, door.port)
  // A masked text frame `abc` with the mask 0, which leaves it as it is.
  client.send(
    'GET http://api.test/ HTTP/1.1',
    'Host: api.test',
    ...UPGRADE,
    '',
    '\x81\x83\0\0\0\0abc',
  )
  await client.until(/\r\n\r\n.*hello.*abc/s)
})

t.test('every other upgrade is refused', async (t) => {
  const door = await openDoor(t)
  const kinds = [
    ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
    ['Connection: Upgrade', 'Upgrade: websocket2'],
    ['Connection: Upgrade', 'Upgrade: websocket, h2c'],
    ['Connection: Upgrade', 'Upgrade: websocket', 'Upgrade: h2c'],
  ]
  for (const lines of kinds) {
    const client = await rawClient(t, door.port)
    client.send('GET http://api.test/ HTTP/1.1', 'Host: api.test', ...lines, '', '')
    t.match(await client.end(), /^HTTP\/1\.1 400 .*an upgrade to/s, lines.join())
  }
  const client = await rawClient(t, door.port)
  client.send('POST http://api.test/ HTTP/1.1', 'Host: api.test', ...UPGRADE, '', '')
  t.match(await client.end(), /^HTTP\/1\.1 400 /, 'a POST')
  const bodied = await rawClient(t, door.port)
  bodied.send(
    'GET http://api.test/ HTTP/1.1',
    'Host: api.test',
    ...UPGRADE,
    'Content-Length: 5',
    '',
    'hello',
  )
  t.match(await bodied.end(), /^HTTP\/1\.1 400 .*an upgrade with a body/s)
  t.same(
    door.knocks.filter(({ upgrade }) => upgrade),
    [],
  )
})

t.test('`Connection: notupgrade` asks for no upgrade', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.send(
    'GET http://api.test/ HTTP/1.1',
    'Host: api.test',
    'Connection: notupgrade, close',
    'Upgrade: websocket',
    '',
    '',
  )
  t.match(await client.end(), /^HTTP\/1\.1 [24]00 /)
  t.equal(door.knocks[0]?.upgrade, false)
})

t.test('a refused upgrade is answered as HTTP', async (t) => {
  const door = await openDoor(t, {
    exchange: async () => ({ status: 403, headers: ['X-A', '1'], body: Buffer.from('no') }),
  })
  const client = await rawClient(t, door.port)
  client.send('GET http://api.test/ HTTP/1.1', 'Host: api.test', ...UPGRADE, '', '')
  t.match(
    await client.end(),
    /^HTTP\/1\.1 403 Forbidden\r\nX-A: 1\r\n.*Connection: close\r\n.*no$/s,
  )
})

t.test('a Host that is not the target’s gets no WebSocket', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.send('GET ws://api.test/ HTTP/1.1', 'Host: other.test', ...UPGRADE, '', '')
  t.match(await client.end(), /^HTTP\/1\.1 421 /)
  t.equal(door.knocks[0]?.upgrade, true, 'it is refused as what it is')
})

t.test('a WebSocket on which nothing is said is closed', async (t) => {
  const door = await openDoor(t, { exchange: joining(t), limits: { idleMs: 200 } })
  const client = await rawClient(t, door.port)
  client.send('GET http://api.test/ HTTP/1.1', 'Host: api.test', ...UPGRADE, '', '')
  t.match(await client.end(), /hello/)
})

t.test('an upgrade that is answered with a long body gets all of it', async (t) => {
  const body = Buffer.alloc(8 * 1024 * 1024, 'x')
  const door = await openDoor(t, {
    exchange: async () => ({
      status: 200,
      headers: [],
      body: Readable.from([body.subarray(0, -1), body.subarray(-1)]),
    }),
  })
  const client = await rawClient(t, door.port)
  client.send('GET http://api.test/ HTTP/1.1', 'Host: api.test', ...UPGRADE, '', '')
  const got = await client.end()
  t.ok(got.length > body.length, `${got.length}`)
  t.match(got.slice(-10), /0\r\n\r\n$/)
})
