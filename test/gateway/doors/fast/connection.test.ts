import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Knock, Reply } from '../../../../gateway/knock.ts'
import { describe, openDoor, rawClient } from '../_door.ts'

/** Answers by the path, with everything that an answer can be. */
async function answerTo(knock: Knock): Promise<Reply> {
  const headers = ['X-Path', knock.path]
  switch (knock.path.replace(/\?.*/, '')) {
    case '/none':
      return { status: 204, headers, body: null }
    case '/null':
      return { status: 404, statusText: 'Not Here', headers, body: null }
    case '/large':
      return { status: 200, headers, body: Buffer.alloc(100_000, 'x') }
    // In one piece: of several, the runtimes make different chunks.
    case '/stream':
      return { status: 200, headers, body: Readable.from([Buffer.from('abc')]) }
    case '/length':
      return {
        status: 200,
        headers: [...headers, 'content-length', '3'],
        body: Readable.from([Buffer.from('abc')]),
      }
    case '/trailers':
      return {
        status: 200,
        headers: [...headers, 'Trailer', 'x-sum'],
        body: Readable.from([Buffer.from('abc')]),
        trailers: () => ['x-sum', '1'],
      }
    case '/close':
      return { status: 200, headers, body: Buffer.from('last'), close: true }
    case '/dated':
      return { status: 200, headers: ['date', 'then'], body: Buffer.from('x') }
    case '/reset':
      return { status: 205, headers, body: Buffer.from('dropped') }
    case '/modified':
      return { status: 304, headers: [...headers, 'ETag', '"1"'], body: null }
    case '/unread':
      return { status: 413, headers, body: Buffer.from('too much') }
    default:
      return describe(knock)
  }
}

const get = (path: string, ...fields: readonly string[]) =>
  [`GET http://a.test${path} HTTP/1.1`, 'Host: a.test', ...fields, '', ''].join('\r\n')
const post = (path: string, body: string) =>
  get(path, `Content-Length: ${body.length}`).replace('GET', 'POST') + body

const CLOSE = get('/last', 'Connection: close')

/** Texts of whole connections; each ends in a request that closes it. */
const CONNECTIONS: Readonly<Record<string, string>> = {
  'one request': CLOSE,
  'no body': get('/none') + CLOSE,
  'null for a body': get('/null') + CLOSE,
  'a HEAD': get('/large').replace('GET', 'HEAD') + CLOSE,
  'a HEAD of a stream': get('/stream').replace('GET', 'HEAD') + CLOSE,
  'a large answer': get('/large') + CLOSE,
  'a stream in chunks': get('/stream') + CLOSE,
  'a stream of a known length': get('/length') + CLOSE,
  trailers: get('/trailers') + CLOSE,
  'an answer that closes': get('/close') + get('/never'),
  'a date of the upstream': get('/dated') + CLOSE,
  'status 205': get('/reset') + CLOSE,
  'status 304': get('/modified') + CLOSE,
  'a body that is read': post('/body', 'hello') + CLOSE,
  'a body that is not': post('/unread', 'x'.repeat(300_000)) + CLOSE,
  'a chunked body between two plain requests':
    get('/one') +
    get('/two', 'Transfer-Encoding: chunked').replace('GET', 'POST') +
    '3\r\nabc\r\n0\r\n\r\n' +
    CLOSE,
  'ten in one go': Array.from({ length: 10 }, (_, at) => get(`/${at}`)).join('') + CLOSE,
}

const undated = (text: string) => text.replaceAll(/^Date: .*GMT\r\n/gm, '')

for (const [name, text] of Object.entries(CONNECTIONS)) {
  t.test(`${name}: both engines answer byte for byte alike`, async (t) => {
    const heard: string[] = []
    for (const engine of ['general', 'fast'] as const) {
      const door = await openDoor(t, { engine, exchange: answerTo })
      const client = await rawClient(t, door.port)
      client.socket.write(text, 'latin1')
      heard.push(undated(await client.end()))
    }
    t.match(heard[1], /^HTTP\/1\.1 \d{3} /)
    t.equal(heard[1], heard[0])
  })
}

t.test('requests that come byte by byte are served all the same', async (t) => {
  const door = await openDoor(t, { exchange: answerTo })
  const text = get('/one') + post('/body', 'hello') + CLOSE
  const client = await rawClient(t, door.port)
  client.socket.setNoDelay(true)
  for (const byte of text) {
    client.socket.write(byte, 'latin1')
    await sleep(1)
  }
  const answers = (await client.end()).match(/HTTP\/1\.1 200 /g)
  t.equal(answers?.length, 3)
  t.same(
    door.knocks.map(({ path }) => path),
    ['/one', '/body', '/last'],
  )
})

t.test('a body may be cut anywhere', async (t) => {
  const door = await openDoor(t, { exchange: answerTo })
  const text = post('/body', 'hello world')
  const bodyAt = text.indexOf('hello')
  for (const at of [bodyAt - 1, bodyAt, bodyAt + 1, bodyAt + 10, bodyAt + 11]) {
    const client = await rawClient(t, door.port)
    client.socket.write(text.slice(0, at), 'latin1')
    await sleep(5)
    client.socket.write(text.slice(at) + CLOSE, 'latin1')
    t.match(await client.end(), /"body":"hello world"[^]*"path":"\/last"/, `cut at ${at}`)
  }
})

t.test('a client that says nothing, or stops within a head, is cut in time', async (t) => {
  const door = await openDoor(t, { limits: { headMs: 300 } })
  const silent = await rawClient(t, door.port)
  const slow = await rawClient(t, door.port)
  slow.socket.write('GET http://a.test/ HT')
  t.match(await slow.end(), /^HTTP\/1\.1 408 /)
  t.match(await silent.end(), /^(?:HTTP\/1\.1 408 |$)/)
  t.same(door.knocks, [])
})

t.test('a client that sends on behind the last answer is not heard', async (t) => {
  const door = await openDoor(t, { exchange: answerTo })
  const client = await rawClient(t, door.port)
  client.socket.on('error', () => {})
  client.socket.write(CLOSE + get('/behind'), 'latin1')
  t.match(await client.end(), /"path":"\/last"/)
  t.equal(door.knocks.length, 1)
})

t.test('while one is served, the next are not read without end', async (t) => {
  let answer = () => {}
  const served = new Promise<void>((resolve) => (answer = resolve))
  const door = await openDoor(t, {
    async exchange(knock) {
      await served
      return describe(knock)
    },
  })
  const client = await rawClient(t, door.port)
  const many = get(`/${'x'.repeat(8_000)}`).repeat(2_000)
  client.socket.write(many, 'latin1')
  await sleep(200)
  t.ok(client.socket.writableLength > 1_000_000, 'what is sent ahead stays with its sender')
  answer()
  client.socket.destroy()
})

for (const engine of ['general', 'fast'] as const) {
  t.test(`${engine}: who asks on and does not read gets no more answers`, async (t) => {
    const door = await openDoor(t, {
      engine,
      exchange: async () => ({ status: 200, headers: [], body: Buffer.alloc(50_000) }),
    })
    const client = await rawClient(t, door.port)
    client.socket.pause()
    for (let sent = 0; sent < 40; sent += 1) {
      client.socket.write(get('/').repeat(50), 'latin1')
      await sleep(5)
    }
    t.ok(door.knocks.length < 1_000, `${door.knocks.length} of 2,000 were served`)
    client.socket.destroy()
  })

  t.test(
    `${engine}: a client that goes within a stream has gone before the stream breaks`,
    async (t) => {
      for (const leave of ['destroy', 'resetAndDestroy'] as const) {
        const seen: boolean[] = []
        const door = await openDoor(t, {
          engine,
          async exchange({ signal }) {
            const body = new Readable({
              read() {
                this.push(Buffer.alloc(65_536))
              },
            })
            body
              .on('error', () => seen.push(signal.aborted))
              .on('close', () => seen.push(signal.aborted))
            return { status: 200, headers: [], body }
          },
        })
        const client = await rawClient(t, door.port)
        client.socket.write(get('/'), 'latin1')
        await client.until(/200 OK/)
        client.socket.pause()
        await sleep(50)
        client.socket[leave]()
        while (seen.length === 0) await sleep(5)
        t.same(new Set(seen), new Set([true]), leave)
      }
    },
  )

  t.test(`${engine}: a client that asked on in pieces and goes is noticed`, async (t) => {
    // With the general engine a body that nobody reads hides what comes behind it.
    const behindBody = engine === 'fast' ? [post('/', 'hello') + 'GET'] : []
    for (const text of [get('/') + '\r\n', get('/') + get('/'), ...behindBody]) {
      const door = await openDoor(t, { engine, exchange: () => new Promise(() => {}) })
      const client = await rawClient(t, door.port)
      client.socket.write(text.slice(0, -2), 'latin1')
      await sleep(20)
      client.socket.write(text.slice(-2), 'latin1')
      while (door.knocks.length === 0) await sleep(5)
      await sleep(20)
      client.socket.end()
      while (!door.knocks.every(({ signal }) => signal.aborted)) await sleep(5)
      t.ok(door.knocks.length > 0)
    }
  })

  t.test(`${engine}: an answer in the middle of an upload is read to its end`, async (t) => {
    const door = await openDoor(t, {
      engine,
      async exchange(knock) {
        if (knock.path === '/last') return describe(knock)
        // It has begun to read, and stops.
        knock.body?.once('readable', () => {})
        await sleep(20)
        return { status: 413, headers: [], body: Buffer.from('too much') }
      },
    })
    const client = await rawClient(t, door.port)
    client.socket.write(post('/upload', 'x'.repeat(4_000_000)) + CLOSE, 'latin1')
    t.match(await client.end(), /^HTTP\/1\.1 413 [^]*too much[^]*"path":"\/last"/)
  })
}
