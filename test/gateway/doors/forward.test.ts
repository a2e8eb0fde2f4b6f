import t from 'tap'
import { PROXY_AUTH, TOKEN, openDoor, rawClient } from './_door.ts'

t.test('an absolute target is taken as it stands, fields in order and case', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.send(
    'GET http://API.test/a%2Fb?x=1&x=2 HTTP/1.1',
    'Host: api.test',
    PROXY_AUTH,
    'X-A: 1',
    'x-a: 2',
    '',
    '',
  )
  await client.until(/\r\n\r\n.*\}/s)
  const [knock] = door.knocks
  t.match(knock, {
    door: 'proxy',
    shape: 'absolute',
    method: 'GET',
    origin: { scheme: 'http', host: 'api.test', port: 80 },
    path: '/a%2Fb?x=1&x=2',
    credential: TOKEN,
    httpVersion: '1.1',
    body: null,
    upgrade: false,
  })
  t.match(knock?.peer, /^127\.0\.0\.1:\d+$/)
  t.same(knock?.headers.slice(4), ['X-A', '1', 'x-a', '2'])
})

t.test('one connection serves request after request', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  for (const n of [1, 2, 3]) {
    client.send(
      `POST http://api.test/${n} HTTP/1.1`,
      'Host: api.test',
      'Content-Length: 2',
      '',
      'hi',
    )
    t.match(
      await client.until(/\r\n\r\n\{.*"\}/s),
      new RegExp(`^HTTP/1.1 200 .*"path":"/${n}".*"body":"hi"`, 's'),
    )
  }
  t.equal(door.listener.connections(), 1)
})

t.test('pipelined requests are answered in order', async (t) => {
  const door = await openDoor(t, {
    async exchange({ path }) {
      await new Promise((resolve) => setTimeout(resolve, path === '/1' ? 50 : 0))
      return { status: 200, headers: [], body: Buffer.from(`<${path}>`) }
    },
  })
  const client = await rawClient(t, door.port)
  client.send(
    ...['/1', '/2'].flatMap((path) => [`GET http://a.test${path} HTTP/1.1`, 'Host: a.test', '']),
    '',
  )
  t.match(await client.until(/<\/2>/), /<\/1>HTTP\/1\.1 200/)
})

t.test('an HTTP/1.0 request needs no Host, and its connection ends', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.send('GET http://api.test/ HTTP/1.0', '', '')
  t.match(await client.end(), /^HTTP\/1\.1 200 .*"httpVersion":"1\.0"/s)
})

t.test('a target that is no http URL is a fault', async (t) => {
  const door = await openDoor(t)
  for (const target of [
    'ftp://api.test/',
    'http://',
    'http://u:p@api.test/',
    'http://api.test:0/',
    'http://api.test/../x',
    '*',
  ]) {
    const client = await rawClient(t, door.port)
    client.send(
      `${target === '*' ? 'OPTIONS' : 'GET'} ${target} HTTP/1.1`,
      'Host: api.test',
      '',
      '',
    )
    t.match(await client.until(/\}$/), /^HTTP\/1\.1 400 .*"malformed_request"/s, target)
  }
})

t.test('holder doors get their requests as they are, the exchange none of them', async (t) => {
  const door = await openDoor(t)
  for (const target of ['/g/x', '/w/x', '/healthz', '/readyz?v', '/healthzz', '/gx']) {
    const client = await rawClient(t, door.port)
    client.send(`GET ${target} HTTP/1.1`, 'Host: gw', 'Connection: close', '', '')
    const expected = ['/healthzz', '/gx'].includes(target) ? /^HTTP\/1\.1 400/ : /holder/
    t.match(await client.end(), expected, target)
  }
  t.equal(door.knocks.length, 2)
})
