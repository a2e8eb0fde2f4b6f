import { constants } from 'node:http2'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import type { Knock, Reply } from '../../../gateway/knock.ts'
import { openDoor, rawClient } from './_door.ts'
import type { TestDoor } from './_door.ts'
import { ask, openHttp2 } from './_http2.ts'

const GET = ['GET http://a.test/ HTTP/1.1', 'Host: a.test', '', '']
const answering = (reply: Partial<Reply>, before: (knock: Knock) => void = () => {}) => ({
  exchange: async (knock: Knock): Promise<Reply> => {
    before(knock)
    return { status: 200, headers: [], body: null, ...reply }
  },
})

const SINGLE = [
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'user-agent',
  'x-content-type-options',
]

t.test('every field that HTTP/2 knows passes doubled', async (t) => {
  const framing = ['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding']
  const known = Object.entries(constants)
    .filter(([name]) => name.startsWith('HTTP2_HEADER_'))
    .map(([, value]) => String(value))
    .filter((name) => !name.startsWith(':'))
  const names = known.filter(
    (name) => ![...framing, 'upgrade', 'http2-settings', 'content-length'].includes(name),
  )
  t.same(
    SINGLE.filter((name) => !names.includes(name)),
    [],
  )
  const door = await openDoor(t, {
    exchange: async ({ path }) => {
      const name = path.slice(1)
      return { status: 200, headers: [name, 'a', name.toUpperCase(), 'b'], body: null }
    },
  })
  const session = await openHttp2(t, door)
  for (const name of names) {
    t.match(await ask(session, { ':path': `/${name}` }), { status: 200, code: 0 }, name)
  }
})

t.test('single fields that come twice are one field on HTTP/2', async (t) => {
  const twice = ['X-Content-Type-Options', 'nosniff', 'x-content-type-options', 'nosniff']
  const headers = [...twice, 'ETag', '"a"', 'ETag', '"b"', 'X-Own', '1', 'X-Own', '1']
  const door = await openDoor(t, answering({ headers, body: Buffer.from('ok') }))
  const { text, ...heard } = await ask(await openHttp2(t, door), { ':path': '/' })
  t.equal(text, 'ok')
  t.match(heard.headers, {
    'x-content-type-options': 'nosniff',
    etag: '"a", "b"',
    'x-own': '1, 1',
  })
})

t.test('a status that HTTP/2 cannot carry is a 502 there', async (t) => {
  for (const [sent, status] of [
    [299, 299],
    [599, 599],
    [600, 502],
    [999, 502],
  ] as const) {
    const door = await openDoor(t, answering({ status: sent, body: Buffer.from('odd') }))
    t.match(await ask(await openHttp2(t, door), { ':path': '/' }), { status, text: 'odd', code: 0 })
  }
})

t.test('a 205 has no body, whatever came with it', async (t) => {
  for (const body of ['', 'never']) {
    let ran = false
    const source = async function* () {
      yield Buffer.from(body)
      ran = true
    }
    const door = await openDoor(t, {
      exchange: async () => ({ status: 205, headers: [], body: Readable.from(source()) }),
    })
    const heard = await ask(await openHttp2(t, door), { ':path': '/' })
    t.match(heard, { status: 205, text: /^$/, code: 0 })
    t.equal(ran, true, 'it is run out')
    const client = await rawClient(t, door.port)
    for (const _ of [1, 2]) {
      client.send(...GET)
      const head = await client.until(/\r\n\r\n/)
      t.match(head, /^HTTP\/1\.1 205 .*\r\nContent-Length: 0\r\n/s)
    }
    t.equal(
      door.knocks.every(({ signal }) => !signal.aborted),
      true,
    )
  }
})

t.test('a reason phrase that cannot be written is the standard one', async (t) => {
  for (const [statusText, phrase] of [
    ['O\x01K', 'OK'],
    ['O\x7fK', 'OK'],
    ['O\r\nX: 1', 'OK'],
    ['Gr\xfcn\t!', 'Gr\xfcn\t!'],
    ['', ''],
  ]) {
    const door = await openDoor(t, answering({ statusText: statusText!, body: Buffer.from('ok') }))
    const client = await rawClient(t, door.port)
    client.send(...GET)
    const [line] = (await client.until(/ok$/)).split('\r\n')
    t.equal(line, `HTTP/1.1 200 ${phrase}`)
  }
})

const HINTS: Readonly<Record<string, readonly [status: number, headers: readonly string[]]>> = {
  'a doubled field': [103, ['content-type', 'a', 'content-type', 'b']],
  'a name that is none': [103, ['bad name', 'a']],
  'a pseudo-field': [103, [':path', '/']],
  'control bytes': [103, ['x', 'a\r\nb: c\0']],
  'framing of its own': [103, ['transfer-encoding', 'chunked', 'content-length', '7']],
  '101': [101, []],
  '99': [99, []],
  '200': [200, []],
}

for (const [name, [status, headers]] of Object.entries(HINTS)) {
  t.test(`an interim answer with ${name} never throws, and the answer follows`, async (t) => {
    const inform = (knock: Knock) => {
      t.doesNotThrow(() => knock.inform(status, headers))
    }
    const door = await openDoor(t, answering({ body: Buffer.from('ok') }, inform))
    const client = await rawClient(t, door.port)
    client.send(...GET)
    const text = await client.until(/ok$/)
    t.match(text, /(^|\r\n\r\n)HTTP\/1\.1 200 OK\r\n[^\0]*\r\n\r\nok$/)
    t.notMatch(text, /transfer-encoding|content-length: 7|b: c/)
    const heard = await ask(await openHttp2(t, door), { ':path': '/' })
    t.match(heard, { status: 200, text: 'ok', code: 0 })
  })
}

t.test('interim answers that the client does not take are dropped', async (t) => {
  const hint = ['link', 'x'.repeat(60_000)]
  let buffered = 0
  const door = await openDoor(t, {
    async exchange(knock) {
      for (let at = 0; at < 1_000; at++) knock.inform(103, hint)
      buffered = process.memoryUsage().arrayBuffers
      return { status: 200, headers: [], body: Buffer.from('ok') }
    },
  })
  const client = await rawClient(t, door.port)
  client.socket.pause()
  client.send(...GET)
  while (buffered === 0) await sleep(5)
  client.socket.resume()
  const text = await client.until(/ok$/)
  t.ok(text.split(' 103 ').length < 1_000, `${text.split(' 103 ').length}`)
})

t.test('where the door cannot write an answer, the client is cut but has not gone', async (t) => {
  const failing = async (t: Test, name: string, use: (door: TestDoor) => Promise<void>) => {
    const body = new Readable({ read() {} })
    const errors: unknown[] = []
    body.on('error', (error) => errors.push(error))
    const door = await openDoor(t, answering({ headers: [name, 'a\x01'], body }))
    await use(door)
    await sleep(50)
    t.match(errors, [{ code: /^ERR_(INVALID_CHAR|HTTP2_INVALID_PSEUDOHEADER)$/ }])
    t.equal(door.knocks[0]?.signal.aborted, false)
  }
  await failing(t, 'x', async ({ port }) => {
    const client = await rawClient(t, port)
    client.send(...GET)
    t.equal(await client.end(), '')
  })
  await failing(t, ':x', async (door) => {
    const heard = await ask(await openHttp2(t, door), { ':path': '/' })
    t.equal(heard.code, constants.NGHTTP2_INTERNAL_ERROR)
  })
})

t.test('a method goes on only as it would be sent', async (t) => {
  const door = await openDoor(t)
  const session = await openHttp2(t, door)
  for (const method of ['get', 'Get', 'connect', 'Connect', 'GE*T', 'GET1', '-GET', 'G_T']) {
    t.match(await ask(session, { ':path': '/', ':method': method }), { status: 400 }, method)
    t.equal(door.knocks.at(-1)?.fault?.code, 'malformed_request')
  }
  for (const method of ['GET', 'M-SEARCH', 'PROPFIND', 'BREW']) {
    t.match(await ask(session, { ':path': '/', ':method': method }), { status: 200 }, method)
  }
  const before = door.knocks.length
  for (const method of ['get', 'Get', 'connect', 'GE*T', 'BREW']) {
    const client = await rawClient(t, door.port)
    client.send(`${method} http://a.test/ HTTP/1.1`, 'Host: a.test', '', '')
    t.match(await client.end(), /^HTTP\/1\.1 400 /, method)
  }
  t.equal(door.knocks.length, before, 'HTTP/1 has them refused by its parser')
})

t.test('a client that leaves in mid-request is no error without a name', async (t) => {
  let told: unknown
  const door = await openDoor(t, {
    async exchange(knock) {
      try {
        for await (const _ of knock.body ?? []);
      } catch (error) {
        told = error
      }
      return { status: 200, headers: [], body: null }
    },
  })
  const leaving = async (nth: number, leave: () => void) => {
    told = undefined
    while (door.knocks.length < nth) await sleep(5)
    await sleep(50)
    leave()
    while (told === undefined) await sleep(5)
    t.match(told, { name: 'ClientGone', code: 'ERR_CLIENT_GONE' })
    t.equal(door.knocks.at(-1)?.signal.aborted, true)
  }
  const client = await rawClient(t, door.port)
  client.send('POST http://a.test/ HTTP/1.1', 'Host: a.test', 'Content-Length: 9', '', 'abc')
  await leaving(1, () => client.socket.destroy())
  const stream = (await openHttp2(t, door)).request({ ':path': '/', ':method': 'POST' })
  stream.on('error', () => {})
  stream.write('abc')
  // `close` would end the request in good order first.
  await leaving(2, () => stream.destroy(new Error('left')))
})
