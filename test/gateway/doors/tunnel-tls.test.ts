import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import t from 'tap'
import { TOKEN, openDoor, openTls, rawClient } from './_door.ts'
import type { TestDoor } from './_door.ts'

async function ask(socket: TLSSocket, path: string, headers: Record<string, string> = {}) {
  const req = request({
    createConnection: () => socket,
    path,
    headers: { host: 'api.test', connection: 'keep-alive', ...headers },
  })
  req.end()
  const [res]: IncomingMessage[] = await once(req, 'response')
  if (!res) throw new Error('no answer')
  let text = ''
  for await (const chunk of res) text += chunk
  return { status: res.statusCode, text }
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  t.test(
    `requests inside ${version} are knocks with the tunnel’s origin and credential`,
    async (t) => {
      const door = await openDoor(t)
      const socket = await openTls(t, door, {
        minVersion: version,
        maxVersion: version,
        ALPNProtocols: ['http/1.1'],
      })
      t.equal(socket.getProtocol(), version)
      t.equal(socket.alpnProtocol, 'http/1.1')
      for (const path of ['/1', '/2', '/3']) t.equal((await ask(socket, path)).status, 200)
      t.match(
        door.knocks,
        ['/1', '/2', '/3'].map((path) => ({
          door: 'proxy',
          shape: 'tunnel-tls',
          origin: { scheme: 'https', host: 'api.test', port: 443 },
          path,
          credential: TOKEN,
        })),
      )
    },
  )
}

t.test('a client without ALPN gets HTTP/1.1', async (t) => {
  const door = await openDoor(t)
  const socket = await openTls(t, door)
  t.equal(socket.alpnProtocol, false)
  t.equal((await ask(socket, '/')).status, 200)
})

t.test('an address as the tunnel’s host has a certificate of its own', async (t) => {
  const door = await openDoor(t)
  for (const [authority, host] of [
    ['192.0.2.1:443', '192.0.2.1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
  ] as const) {
    const socket = await openTls(t, door, { authority, host, servername: '' })
    t.ok(socket.authorized)
    t.equal((await ask(socket, '/', { host: authority })).status, 200)
  }
})

t.test('a session is resumed in the next tunnel', async (t) => {
  const door = await openDoor(t)
  const maxVersion = 'TLSv1.2'
  const first = await openTls(t, door, { maxVersion })
  const session = first.getSession()
  t.ok(session)
  const second = await openTls(t, door, { maxVersion, ...(session ? { session } : {}) })
  t.equal(second.isSessionReused(), true)
  t.equal((await ask(second, '/')).status, 200)
})

t.test('a server name that is not the tunnel’s is refused inside', async (t) => {
  const door = await openDoor(t)
  const socket = await openTls(t, door, { servername: 'other.test', rejectUnauthorized: false })
  t.match(await ask(socket, '/'), { status: 421, text: /authority_mismatch.*other\.test/ })
})

t.test('a Host that is not the tunnel’s is refused inside', async (t) => {
  const door = await openDoor(t)
  for (const host of ['other.test', 'api.test:444', 'api.test.evil']) {
    const socket = await openTls(t, door)
    t.match(await ask(socket, '/', { host }), { status: 421 }, host)
  }
  for (const host of ['api.test', 'API.test:443', 'api.test.']) {
    const socket = await openTls(t, door)
    t.match(await ask(socket, '/', { host }), { status: 200 }, host)
  }
})

t.test('an absolute target inside must agree with the tunnel', async (t) => {
  const door = await openDoor(t)
  const statuses = async (path: string) => (await ask(await openTls(t, door), path)).status
  t.equal(await statuses('https://api.test/x'), 200)
  t.equal(door.knocks[0]?.path, '/x')
  t.equal(await statuses('https://other.test/x'), 421)
  t.equal(await statuses('http://api.test/x'), 421, 'nor may the scheme differ')
})

t.test('a path that cannot be made canonical is refused inside', async (t) => {
  const door = await openDoor(t)
  for (const path of ['/a/../b', '/%2e%2e/b', '//other.test/', '/a%00']) {
    t.match(await ask(await openTls(t, door), path), { status: 400 }, path)
  }
})

t.test('200 tunnels at once', async (t) => {
  const door = await openDoor(t)
  const one = async (n: number) => ask(await openTls(t, door), `/${n}`)
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => one(n)))
  t.same(
    answers.filter(({ status, text }, n) => status !== 200 || !text.includes(`"/${n}"`)),
    [],
  )
})

t.test('a handshake that trickles is cut, however busy', async (t) => {
  const door: TestDoor = await openDoor(t, { limits: { handshakeMs: 300 } })
  const client = await rawClient(t, door.port)
  client.send(
    'CONNECT api.test:443 HTTP/1.1',
    'Host: api.test:443',
    `Proxy-Authorization: Bearer ${TOKEN}`,
    '',
    '',
  )
  await client.until(/\r\n\r\n/)
  client.socket.write(Buffer.from('1603010200010001fc0303', 'hex'))
  const timer = setInterval(() => client.socket.write('a'), 20)
  t.teardown(() => clearInterval(timer))
  const begun = Date.now()
  await client.end()
  t.ok(Date.now() - begun < 2_000)
})

t.test('a tunnel in which nothing is said is closed', async (t) => {
  const door = await openDoor(t, { limits: { headMs: 200 } })
  const client = await rawClient(t, door.port)
  client.send(
    'CONNECT api.test:443 HTTP/1.1',
    'Host: api.test:443',
    `Proxy-Authorization: Bearer ${TOKEN}`,
    '',
    '',
  )
  t.match(await client.end(), /200 Connection established/)
})

t.test('a head that trickles in is cut, outside and inside of tunnels', async (t) => {
  const door = await openDoor(t, { limits: { headMs: 300 } })
  const tls = await openTls(t, door)
  for (const socket of [undefined, tls]) {
    const client = await rawClient(t, door.port, socket)
    client.send('GET / HTTP/1.1\r\nHost: ')
    const timer = setInterval(() => client.socket.write('a'), 20)
    t.teardown(() => clearInterval(timer))
    t.match(await client.end(), /^HTTP\/1\.1 408 /)
  }
})
