import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { testEngine } from '../../helpers/engine.ts'
import { describe, openDoor, PROXY_AUTH, rawClient } from './_door.ts'

const GET = 'GET http://api.test/ HTTP/1.1'
const POST = 'POST http://api.test/ HTTP/1.1'
const HOST = 'Host: api.test'

const REFUSED: readonly [name: string, status: number, ...lines: string[]][] = [
  ['two Host fields', 400, GET, HOST, HOST],
  ['two different Host fields', 400, GET, HOST, 'host: other.test'],
  ['no Host field', 400, GET],
  ['a Host that is not the target’s', 421, GET, 'Host: other.test'],
  ['a Host with another port', 421, GET, 'Host: api.test:81'],
  ['a Host that is no authority', 400, GET, 'Host: api.test/x'],
  ['both lengths', 400, POST, HOST, 'Content-Length: 1', 'Transfer-Encoding: chunked'],
  [
    'both lengths, the other way round',
    400,
    POST,
    HOST,
    'Transfer-Encoding: chunked',
    'Content-Length: 1',
  ],
  ['two equal Content-Length fields', 400, POST, HOST, 'Content-Length: 1', 'Content-Length: 1'],
  [
    'two different Content-Length fields',
    400,
    POST,
    HOST,
    'Content-Length: 1',
    'Content-Length: 2',
  ],
  ['a list as Content-Length', 400, POST, HOST, 'Content-Length: 1, 1'],
  ['a signed Content-Length', 400, POST, HOST, 'Content-Length: +1'],
  ['a coding under chunked', 400, POST, HOST, 'Transfer-Encoding: gzip, chunked'],
  ['a coding in place of chunked', 400, POST, HOST, 'Transfer-Encoding: gzip'],
  ['chunked twice', 400, POST, HOST, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  [
    'chunks over HTTP/1.0',
    400,
    'POST http://api.test/ HTTP/1.0',
    HOST,
    'Transfer-Encoding: chunked',
  ],
  ['a space before the colon', 400, GET, HOST, 'X-A : 1'],
  ['a folded field', 400, GET, HOST, 'X-A: 1', ' 2'],
  ['a NUL in a field', 400, GET, HOST, 'X-A: \0'],
  ['an unknown version', 400, 'GET http://api.test/ HTTP/3.0', HOST],
  ['a bare line feed', 400, `${GET}\nHost: api.test`],
  ['an HTTP/2 preface', 400, 'PRI * HTTP/2.0', '', 'SM'],
  ['a target over 16 KiB', 414, `GET http://api.test/${'a'.repeat(16_384)} HTTP/1.1`, HOST],
  ['fields over 64 KiB', 431, GET, HOST, `X-A: ${'a'.repeat(66_000)}`],
]

for (const [name, status, ...lines] of REFUSED) {
  t.test(`refused: ${name}`, async (t) => {
    const door = await openDoor(t)
    const client = await rawClient(t, door.port)
    client.send(...lines, '', '')
    const answer = await client.until(/\r\n\r\n\{.*\}/s)
    t.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    t.notOk(
      door.knocks.some(({ fault }) => !fault),
      'nothing faultless reached the exchange',
    )
  })
}

t.test('a field behind the 2,000th still counts', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.send(GET, HOST, ...Array.from({ length: 2_100 }, (_, n) => `a${n}: 1`), HOST, '', '')
  t.match(await client.until(/\}/), /2 Host fields/)
})

t.test('a field as long as a long token passes', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.send(GET, HOST, `X-A: ${'a'.repeat(50_000)}`, '', '')
  t.match(await client.until(/\r\n/), /^HTTP\/1\.1 200/)
})

t.test('an unreadable request behind one that is still served is not mixed with it', async (t) => {
  let answer = () => {}
  const served = new Promise<void>((resolve) => (answer = resolve))
  const door = await openDoor(t, {
    exchange: async () => {
      await served
      return { status: 200, headers: [], body: Buffer.from('first') }
    },
  })
  const client = await rawClient(t, door.port)
  client.send(GET, HOST, '', 'nonsense', '', '')
  while (door.knocks.length === 0) await new Promise(setImmediate)
  answer()
  // The general engine has read on by then, and has no place left for a second answer.
  const behind = testEngine === 'general' ? '$' : 'HTTP/1\\.1 400 '
  t.match(await client.end(), new RegExp(`^HTTP/1\\.1 200 (?:.|\r|\n)*first${behind}`))
})

t.test(
  'what the parser refuses is answered as a problem document without the request’s text',
  async (t) => {
    const door = await openDoor(t)
    const client = await rawClient(t, door.port)
    client.send('GET http://api.test/ HTTP/1.1', 'bad field g1.secret', '', '')
    const answer = await client.end()
    t.match(answer, /Content-Type: application\/problem\+json\r\n/)
    t.match(answer, /"code":"malformed_request"/)
    t.notMatch(answer, /g1\.secret/)
  },
)

t.test('a body that cannot be read ends the exchange that reads it', async (t) => {
  const door = await openDoor(t, {
    exchange: async ({ body }) => {
      const error = await new Promise<Error>((resolve) => body?.on('error', resolve).resume())
      return { status: 400, headers: [], body: Buffer.from(error.name), close: true }
    },
  })
  const client = await rawClient(t, door.port)
  client.send(POST, HOST, 'Transfer-Encoding: chunked', '', '2', 'ok', 'zz', '')
  t.match(await client.end(), /^HTTP\/1\.1 400 (?:.|\r|\n)*Refusal$/)
})

const BEHIND = {
  'a request': [GET, HOST],
  'a CONNECT': ['CONNECT api.test:80 HTTP/1.1', 'Host: api.test:80', PROXY_AUTH],
  'an upgrade': [
    GET,
    HOST,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ],
}

for (const [name, lines] of Object.entries(BEHIND))
  t.test(`${name} behind a request whose end is in doubt is not read`, async (t) => {
    for (const apartMs of [0, 20]) {
      const door = await openDoor(t, {
        async exchange(knock) {
          await delay(60)
          return describe(knock)
        },
      })
      const client = await rawClient(t, door.port)
      if (apartMs === 0) client.send(GET, HOST, HOST, '', ...lines, '', '')
      else {
        client.send(GET, HOST, HOST, '', '')
        await delay(apartMs)
        client.send(...lines, '', '')
      }
      t.match(await client.end(), /^HTTP\/1\.1 400 (?:.|\r|\n)*\}$/, 'the answer is whole')
      t.equal(door.knocks.length, 1, 'the second one was no request')
    }
  })
