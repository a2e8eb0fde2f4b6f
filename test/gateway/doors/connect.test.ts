import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { testEngine } from '../../helpers/engine.ts'
import {
  PROXY_AUTH,
  TOKEN,
  basic,
  challenge,
  describe,
  openDoor,
  openTunnel,
  rawClient,
} from './_door.ts'

const CONNECT = 'CONNECT api.test:80 HTTP/1.1'
const HOST = 'Host: api.test:80'
const DESCRIBED = /"body":""\}/

t.test('after a 407 the same connection goes on serving', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  for (let round = 0; round < 20; round++) {
    client.send(CONNECT, HOST, '', '')
    const refusal = await client.until(/who are you\?/)
    t.match(refusal, /^HTTP\/1\.1 407 .*Proxy-Authenticate: Basic realm="narrowgate"/s)
    t.notMatch(refusal, /Connection: close/i)
  }
  client.send('GET http://api.test/between HTTP/1.1', 'Host: api.test', '', '')
  t.match(await client.until(DESCRIBED), /"shape":"absolute"/)
  client.send(CONNECT, HOST, PROXY_AUTH, '', '')
  t.equal(await client.until(/\r\n\r\n/), 'HTTP/1.1 200 Connection established\r\n\r\n')
  client.send('GET /inside HTTP/1.1', 'Host: api.test', '', '')
  t.match(await client.until(DESCRIBED), /"shape":"tunnel-clear".*"path":"\/inside"/)
  t.equal(door.listener.connections(), 1)
})

t.test('nothing piles up on a connection that is refused again and again', async (t) => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  for (let round = 0; round < 50; round++) {
    client.send(CONNECT, HOST, '', '')
    await client.until(/who are you\?/)
  }
  t.same(warnings, [])
})

t.test('a client that wants to close after the 407 is closed', async (t) => {
  const door = await openDoor(t)
  for (const lines of [
    [CONNECT, HOST, 'Connection: close'],
    [CONNECT, HOST, 'Proxy-Connection: Close'],
    ['CONNECT api.test:443 HTTP/1.0'],
  ]) {
    const client = await rawClient(t, door.port)
    client.send(...lines, '', '')
    t.match(await client.end(), /^HTTP\/1\.1 407 .*who are you\?$/s, lines.join())
  }
})

t.test('an HTTP/1.0 CONNECT without Host gets its tunnel', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.send('CONNECT api.test:80 HTTP/1.0', PROXY_AUTH, '', '')
  t.match(await client.until(/\r\n\r\n/), /^HTTP\/1\.1 200 /)
  client.send('GET / HTTP/1.0', '', '')
  t.match(await client.end(), /"credential":"g1\./)
})

t.test('the token may stand in either half of the user-info, or be a Bearer', async (t) => {
  const door = await openDoor(t)
  for (const value of [`agent:${TOKEN}`, `${TOKEN}:`, `:${TOKEN}`, `${TOKEN}:x`]
    .map(basic)
    .concat(`Bearer ${TOKEN}`, `bearer  ${TOKEN}`)) {
    const client = await rawClient(t, door.port)
    client.send(CONNECT, HOST, `proxy-authorization: ${value}`, '', '')
    t.match(await client.until(/\r\n\r\n/), /^HTTP\/1\.1 200 /, value)
  }
})

t.test('two credentials are none', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.send(CONNECT, HOST, PROXY_AUTH, PROXY_AUTH, '', '')
  t.match(await client.until(/\r\n\r\n/), /^HTTP\/1\.1 407 /)
})

t.test('bytes sent right behind the CONNECT are the tunnel’s', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.send(CONNECT, HOST, PROXY_AUTH, '', 'GET /early HTTP/1.1', 'Host: api.test', '', '')
  t.match(
    await client.until(DESCRIBED),
    /^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 OK.*"\/early"/s,
  )
})

const MALFORMED = [
  'api.test',
  'api.test:',
  'api.test:0',
  'api.test:99999',
  'api.test:080',
  '::1:443',
  'u@api.test:443',
  'http://api.test:443',
  '/',
  'a_\u00e9.test:443',
  '127.1:443',
  'a..b:443',
]
for (const target of MALFORMED) {
  t.test(`a CONNECT to \`${target}\` is malformed`, async (t) => {
    const door = await openDoor(t, { admit: () => t.fail('it was admitted') as never })
    const client = await rawClient(t, door.port)
    client.socket.write(
      `CONNECT ${target} HTTP/1.1\r\nHost: api.test\r\n${PROXY_AUTH}\r\n\r\n`,
      'latin1',
    )
    t.match(await client.end(), /^HTTP\/1\.1 400 /)
  })
}

t.test('a CONNECT that contradicts itself is refused', async (t) => {
  const door = await openDoor(t, { admit: () => t.fail('it was admitted') as never })
  const kinds = [
    [400, HOST, HOST],
    [400, HOST, 'Content-Length: 5'],
    [400, HOST, 'Transfer-Encoding: chunked'],
  ] as const
  for (const [status, ...lines] of kinds) {
    const client = await rawClient(t, door.port)
    client.send(CONNECT, ...lines, PROXY_AUTH, '', '')
    t.match(await client.end(), new RegExp(`^HTTP/1.1 ${status} `), lines.join())
  }
})

t.test('a CONNECT behind a request that is still served is not mixed with it', async (t) => {
  let answer = () => {}
  const served = new Promise<void>((resolve) => (answer = resolve))
  const door = await openDoor(t, {
    exchange: async () => {
      await served
      return { status: 200, headers: [], body: Buffer.from('first') }
    },
  })
  const client = await rawClient(t, door.port)
  client.send(
    'GET http://api.test/ HTTP/1.1',
    'Host: api.test',
    '',
    CONNECT,
    HOST,
    PROXY_AUTH,
    '',
    '',
  )
  // The general engine reads on and has to cut; the fast one leaves it unread until its turn comes.
  if (testEngine === 'general') return void t.equal(await client.end(), '')
  await sleep(30)
  t.equal(door.knocks.length, 1)
  answer()
  const heard = await client.until(/Connection established\r\n\r\n/)
  t.match(heard, /first(?:.|\r|\n)*HTTP\/1\.1 200 Connection established\r\n\r\n$/)
})

t.test(
  'a tunnel that is not intercepted is joined to the upstream, early bytes and half-close included',
  async (t) => {
    const upstream = createServer({ allowHalfOpen: true }, (socket) => {
      let heard = ''
      socket.on('data', (chunk) => (heard += chunk))
      socket.on('end', () => socket.end(`heard ${heard}`))
    }).listen(0, '127.0.0.1')
    t.teardown(() => upstream.close())
    const door = await openDoor(t, {
      exchange: async () => ({
        status: 200,
        headers: [],
        body: null,
        socket: connect((upstream.address() as AddressInfo).port, '127.0.0.1'),
      }),
    })
    const client = await rawClient(t, door.port)
    client.send(
      'CONNECT blind.test:443 HTTP/1.1',
      'Host: blind.test:443',
      PROXY_AUTH,
      '',
      '\x16early ',
    )
    await client.until(/\r\n\r\n/)
    client.socket.end('late')
    t.equal(await client.end(), 'heard \x16early late')
    t.match(door.knocks, [
      {
        method: 'CONNECT',
        shape: 'tunnel-blind',
        origin: { host: 'blind.test', port: 443 },
        path: '',
      },
    ])
    t.equal(door.knocks[0]?.signal.aborted, false, 'an end in good order is no abort')
  },
)

t.test('an upstream that breaks off breaks the blind tunnel', async (t) => {
  let far: Socket | undefined
  const upstream = createServer((socket) => (far = socket)).listen(0, '127.0.0.1')
  t.teardown(() => upstream.close())
  const door = await openDoor(t, {
    exchange: async () => ({
      status: 200,
      headers: [],
      body: null,
      socket: connect((upstream.address() as AddressInfo).port, '127.0.0.1'),
    }),
  })
  const socket = await openTunnel(door, 'blind.test:443')
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('x')
  while (!far) await new Promise((resolve) => setTimeout(resolve, 5))
  far.resetAndDestroy()
  await closed
})

t.test('a blind tunnel that is refused is answered on the CONNECT', async (t) => {
  const door = await openDoor(t, {
    exchange: async () => ({ ...challenge, status: 403, headers: [] }),
  })
  const client = await rawClient(t, door.port)
  client.send('CONNECT blind.test:443 HTTP/1.1', 'Host: blind.test:443', PROXY_AUTH, '', '')
  t.match(await client.end(), /^HTTP\/1\.1 403 Forbidden\r\n.*who are you\?$/s)
})

t.test('a CONNECT inside a tunnel is refused', async (t) => {
  const door = await openDoor(t, { exchange: describe })
  const client = await rawClient(t, door.port, await openTunnel(door, 'api.test:80'))
  client.send(CONNECT, HOST, '', '')
  t.match(await client.end(), /^HTTP\/1\.1 400 .*CONNECT inside a tunnel/s)
})

t.test('a TLS hello on the plain port is answered with an alert at once', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.socket.write(Buffer.from('16030100050100000100', 'hex'))
  t.equal(await client.end(), '\x15\x03\x01\x00\x02\x02\x28')
})
