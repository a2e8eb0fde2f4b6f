import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Reply } from '../../../gateway/knock.ts'
import { testEngine } from '../../helpers/engine.ts'
import { describe, openDoor, rawClient } from './_door.ts'

const GET = ['GET http://a.test/ HTTP/1.1', 'Host: a.test', '', '']
const answering = (reply: Partial<Reply>) => ({
  exchange: async (): Promise<Reply> => ({ status: 200, headers: [], body: null, ...reply }),
})

t.test('fields keep their order, case and number; framing is the door’s', async (t) => {
  const headers = [
    'X-B',
    '1',
    'Set-Cookie',
    'a',
    'x-a',
    '2',
    'Set-Cookie',
    'b',
    'Transfer-Encoding',
    'gzip',
    'Content-Length',
    '99',
    'Connection',
    'X-Named',
    'X-Named',
    '3',
    'Date',
    'today',
  ]
  const door = await openDoor(
    t,
    answering({ statusText: 'Fine', headers, body: Buffer.from('hello') }),
  )
  const client = await rawClient(t, door.port)
  client.send(...GET)
  t.equal(
    await client.until(/hello/),
    'HTTP/1.1 200 Fine\r\nX-B: 1\r\nSet-Cookie: a\r\nx-a: 2\r\nSet-Cookie: b\r\nDate: today\r\nContent-Length: 5\r\nConnection: keep-alive\r\nKeep-Alive: timeout=300\r\n\r\nhello',
  )
})

t.test('answers without a body end at their head', async (t) => {
  for (const [status, method, length] of [
    [204, 'GET', undefined],
    [304, 'GET', '7'],
    [200, 'HEAD', '7'],
    [200, 'GET', '0'],
  ] as const) {
    const headers = ['Content-Length', '7', 'Date', 'x']
    const door = await openDoor(t, answering({ status, headers }))
    const client = await rawClient(t, door.port)
    for (const _ of [1, 2]) {
      client.send(`${method} http://a.test/ HTTP/1.1`, 'Host: a.test', '', '')
      const head = await client.until(/\r\n\r\n/)
      t.match(head, new RegExp(`^HTTP/1.1 ${status} `))
      t.equal(/Content-Length: (\d+)/.exec(head)?.[1], length, `${method} ${status}`)
      t.notMatch(head, /Transfer-Encoding/)
    }
  }
})

t.test('a body that comes with HEAD is run out before the answer ends', async (t) => {
  let ran = false
  const body = Readable.from(
    (async function* () {
      yield Buffer.from('x')
      ran = true
    })(),
  )
  const door = await openDoor(t, answering({ body }))
  const client = await rawClient(t, door.port)
  client.send('HEAD http://a.test/ HTTP/1.1', 'Host: a.test', 'Connection: close', '', '')
  t.match(await client.end(), /\r\n\r\n$/)
  t.equal(ran, true)
})

t.test('every status that an upstream may invent is passed on', async (t) => {
  for (const status of [299, 418, 599, 999]) {
    const door = await openDoor(t, answering({ status, statusText: 'Odd' }))
    const client = await rawClient(t, door.port)
    client.send(...GET)
    t.match(await client.until(/\r\n\r\n/), new RegExp(`^HTTP/1.1 ${status} Odd\r\n`))
  }
})

t.test('an event stream is live: head, then event by event', async (t) => {
  const body = new Readable({ read() {} })
  const door = await openDoor(
    t,
    answering({ headers: ['content-type', 'text/event-stream'], body }),
  )
  const client = await rawClient(t, door.port)
  client.send(...GET)
  t.match(await client.until(/\r\n\r\n/), /Transfer-Encoding: chunked/)
  for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
    body.push(event)
    t.equal(await client.until(/\n\n\r\n/), `9\r\n${event}\r\n`)
  }
  body.push(null)
  t.equal(await client.until(/0\r\n\r\n/), '0\r\n\r\n')
})

t.test('trailers go both ways', async (t) => {
  const door = await openDoor(t, {
    async exchange(knock) {
      for await (const _ of knock.body ?? []);
      return {
        status: 200,
        headers: ['Trailer', 'X-Sum', 'Content-Length', '1'],
        body: Readable.from([Buffer.from('x')]),
        trailers: () => ['X-Sum', '7', ...knock.trailers()],
      }
    },
  })
  const client = await rawClient(t, door.port)
  client.send(
    'POST http://a.test/ HTTP/1.1',
    'Host: a.test',
    'Transfer-Encoding: chunked',
    '',
    '1',
    'x',
    '0',
    'X-Mine: 1',
    '',
    '',
  )
  t.match(await client.until(/0\r\n.*\r\n\r\n/s), /\r\n0\r\nX-Sum: 7\r\nX-Mine: 1\r\n\r\n$/)
})

t.test('a body that breaks off never looks whole', async (t) => {
  for (const [version, headers, cut] of [
    ['1.1', [], 'half'],
    ['1.1', ['Content-Length', '8'], 'half'],
    ['1.0', [], undefined],
  ] as const) {
    const body = new Readable({ read() {} })
    const door = await openDoor(t, answering({ headers, body }))
    const client = await rawClient(t, door.port)
    const errors: string[] = []
    client.socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code ?? ''))
    client.send(`GET http://a.test/ HTTP/${version}`, 'Host: a.test', '', '')
    await client.until(/\r\n\r\n/)
    body.push('half')
    await client.until(/half/)
    body.destroy(new Error('upstream gone'))
    const rest = await client.end()
    if (cut === undefined) t.same(errors, ['ECONNRESET'], 'HTTP/1.0 can only be told by a reset')
    else t.notMatch(rest, /0\r\n\r\n/)
  }
})

t.test('a body shorter than its Content-Length cuts the connection', async (t) => {
  const door = await openDoor(
    t,
    answering({ headers: ['Content-Length', '8'], body: Readable.from([Buffer.from('half')]) }),
  )
  const client = await rawClient(t, door.port)
  client.send(...GET)
  t.match(await client.end(), /\r\n\r\nhalf$/)
})

t.test('`close` ends the connection with the answer', async (t) => {
  const door = await openDoor(t, answering({ body: Buffer.from('bye'), close: true }))
  const client = await rawClient(t, door.port)
  client.send(...GET)
  t.match(await client.end(), /Connection: close\r\n.*bye$/s)
})

t.test('a client that goes away aborts the knock, and its body', async (t) => {
  const body = new Readable({ read() {} })
  const door = await openDoor(t, answering({ body }))
  const client = await rawClient(t, door.port)
  client.send(...GET)
  await client.until(/\r\n\r\n/)
  const closed = new Promise((resolve) => body.once('close', resolve))
  client.socket.destroy()
  await closed
  t.equal(door.knocks[0]?.signal.aborted, true)
})

t.test('a client that goes away before the answer aborts all that it asked for', async (t) => {
  const door = await openDoor(t, { exchange: () => new Promise(() => {}) })
  const client = await rawClient(t, door.port)
  client.send(...GET.slice(0, 3), ...GET)
  // The fast engine takes one request after the other.
  const asked = testEngine === 'general' ? 2 : 1
  while (door.knocks.length < asked) await sleep(5)
  client.socket.destroy()
  while (!door.knocks.every(({ signal }) => signal.aborted)) await sleep(5)
  t.equal(door.knocks.length, asked)
})

t.test('an exchange that ends well aborts nothing', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.send(...GET)
  await client.until(/"body":""\}/)
  client.socket.destroy()
  await sleep(30)
  t.equal(door.knocks[0]?.signal.aborted, false)
})

t.test('50 MB up and 50 MB down, at the speed of the slower side', async (t) => {
  const size = 50 * 1024 * 1024
  const piece = randomBytes(65_536)
  let made = 0
  const source = new Readable({
    read() {
      made += piece.length
      this.push(made <= size ? piece : null)
    },
  })
  const hash = createHash('sha256')
  const door = await openDoor(t, {
    async exchange(knock) {
      await pipeline(knock.body!, hash)
      return { status: 200, headers: [], body: source }
    },
  })
  const req = request({
    port: door.port,
    method: 'PUT',
    path: 'http://a.test/',
    headers: { host: 'a.test' },
  })
  const answer = new Promise<IncomingMessage>((resolve) => req.once('response', resolve))
  await pipeline(Readable.from(pieces(piece, size)), req)
  const expected = createHash('sha256')
  for (const one of pieces(piece, size)) expected.update(one)
  const res = await answer
  t.equal(hash.digest('hex'), expected.digest('hex'))
  await sleep(200)
  t.ok(made < 20 * 1024 * 1024, `what nobody reads is not made: ${made}`)
  let got = 0
  await pipeline(res, new Writable({ write: (chunk, _, done) => ((got += chunk.length), done()) }))
  t.equal(got, size)
})

function* pieces(piece: Buffer, size: number) {
  for (let at = 0; at < size; at += piece.length) yield piece
}

t.test('1xx answers are passed on as they are', async (t) => {
  const door = await openDoor(t, {
    exchange: async (knock) => {
      knock.inform(103, ['Link', '</a>', 'Link', '</b>'])
      return describe(knock)
    },
  })
  const client = await rawClient(t, door.port)
  client.send(...GET)
  t.match(
    await client.until(/"body":""\}/),
    /^HTTP\/1\.1 103 \w+ ?\w*\r\nLink: <\/a>\r\nLink: <\/b>\r\n\r\nHTTP\/1\.1 200 /,
  )
  client.send('GET http://a.test/ HTTP/1.0', '', '')
  t.match(await client.end(), /^HTTP\/1\.1 200 /, 'HTTP/1.0 knows none')
})
