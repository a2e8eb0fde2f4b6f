import { constants } from 'node:http2'
import { Readable } from 'node:stream'
import t from 'tap'
import type { Knock } from '../../../gateway/knock.ts'
import { TOKEN, describe, openDoor } from './_door.ts'
import { ask, openHttp2 } from './_http2.ts'

t.test('streams are knocks, side by side on one connection', async (t) => {
  const door = await openDoor(t)
  const session = await openHttp2(t, door)
  const answers = await Promise.all(
    [1, 2, 3].map((n) =>
      ask(session, { ':path': `/${n}?q=a%2Fb`, ':method': 'POST', 'x-a': ['1', '2'] }, `body ${n}`),
    ),
  )
  t.match(
    answers,
    [1, 2, 3].map((n) => ({ status: 200, text: `"body":"body ${n}"` })),
  )
  t.match(door.knocks[0], {
    door: 'proxy',
    shape: 'tunnel-tls',
    httpVersion: '2',
    method: 'POST',
    origin: { scheme: 'https', host: 'api.test', port: 443 },
    path: '/1?q=a%2Fb',
    credential: TOKEN,
    headers: ['x-a', '1', 'x-a', '2'],
  })
})

t.test('a request without a body has none, cookie crumbs are one field', async (t) => {
  const door = await openDoor(t)
  const session = await openHttp2(t, door)
  await ask(session, { ':path': '/', cookie: ['a=1', 'b=2'] })
  t.match(door.knocks[0], { body: null, headers: ['cookie', 'a=1; b=2'] })
})

t.test('an authority that is not the tunnel’s is refused', async (t) => {
  const door = await openDoor(t)
  const session = await openHttp2(t, door)
  t.equal((await ask(session, { ':path': '/', ':authority': 'other.test' })).status, 421)
  t.equal((await ask(session, { ':path': '/', ':authority': 'api.test:443' })).status, 200)
  t.equal((await ask(session, { ':path': '/', host: 'other.test' })).status, 421)
  t.equal((await ask(session, { ':path': '/a/../b' })).status, 400)
  t.equal((await ask(session, { ':path': '/', ':scheme': 'http' })).status, 400)
})

t.test('too many bytes of fields are told so, on the first stream and on later ones', async (t) => {
  const door = await openDoor(t, { limits: { maxHeaderBytes: 4_096 } })
  const session = await openHttp2(t, door)
  const ofBytes = (bytes: number) => ask(session, { ':path': '/', 'x-big': 'a'.repeat(bytes) })
  for (const at of [1, 2, 3]) {
    t.match(await ofBytes(5_000), { status: 431, text: /headers_too_large/ }, `stream ${at}`)
    t.equal((await ofBytes(3_900)).status, 200)
  }
  t.equal((await ofBytes(9_000)).code, constants.NGHTTP2_ENHANCE_YOUR_CALM, 'no more is read')
  t.equal((await ofBytes(100)).status, 200, 'and the connection goes on')
})

t.test('trailers go both ways', async (t) => {
  const door = await openDoor(t, {
    async exchange(knock) {
      for await (const _ of knock.body ?? []);
      const echoed = [...knock.trailers()]
      return {
        status: 200,
        headers: ['content-type', 'application/grpc'],
        body: Readable.from([Buffer.from('x')]),
        trailers: () => ['grpc-status', '0', ...echoed],
      }
    },
  })
  const session = await openHttp2(t, door)
  const stream = session.request({ ':path': '/', ':method': 'POST' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '42' }))
  stream.end('x')
  const trailers = await new Promise((resolve) => stream.once('trailers', resolve))
  t.match(trailers, { 'grpc-status': '0', 'x-sum': '42' })
  stream.resume()
})

t.test('an answer of trailers alone arrives', async (t) => {
  const door = await openDoor(t, {
    exchange: async () => ({
      status: 200,
      headers: [],
      body: null,
      trailers: () => ['grpc-status', '7'],
    }),
  })
  t.match(await ask(await openHttp2(t, door), { ':path': '/' }), {
    status: 200,
    trailers: { 'grpc-status': '7' },
    code: 0,
  })
})

t.test('fields of HTTP/1 connections are left out, repeated fields stay', async (t) => {
  const door = await openDoor(t, {
    exchange: async () => ({
      status: 203,
      headers: [
        'Connection',
        'x-drop',
        'X-Drop',
        '1',
        'Keep-Alive',
        '1',
        'Upgrade',
        'h2',
        'Set-Cookie',
        'a',
        'Set-Cookie',
        'b',
        'X-Keep',
        '1',
      ],
      body: null,
    }),
  })
  const { status, headers } = await ask(await openHttp2(t, door), { ':path': '/' })
  t.equal(status, 203)
  t.match(headers, { 'set-cookie': ['a', 'b'], 'x-keep': '1' })
  t.strictSame(Object.keys(headers).sort(), [
    ':status',
    'content-length',
    'date',
    'set-cookie',
    'x-keep',
  ])
})

t.test('HEAD, 204 and 304 have no body', async (t) => {
  const door = await openDoor(t, {
    exchange: async ({ path }) => ({
      status: Number(path.slice(1)),
      headers: [],
      body: Buffer.from('never'),
    }),
  })
  const session = await openHttp2(t, door)
  t.match(await ask(session, { ':path': '/200', ':method': 'HEAD' }), {
    status: 200,
    text: /^$/,
    headers: { 'content-length': '5' },
  })
  for (const status of [204, 304])
    t.match(await ask(session, { ':path': `/${status}` }), { status, text: /^$/, code: 0 })
})

t.test('a body that breaks off, or is too short, resets the stream', async (t) => {
  const door = await openDoor(t, {
    async exchange({ path }) {
      const short = path === '/short'
      const body = new Readable({ read() {} })
      body.push('half')
      setTimeout(() => (short ? body.push(null) : body.destroy(new Error('upstream gone'))), 30)
      return { status: 200, headers: short ? ['content-length', '8'] : [], body }
    },
  })
  const session = await openHttp2(t, door)
  for (const path of ['/broken', '/short']) {
    t.match(
      await ask(session, { ':path': path }),
      { text: 'half', code: constants.NGHTTP2_INTERNAL_ERROR },
      path,
    )
  }
  t.equal(session.closed, false, 'the connection goes on')
})

t.test('a client that resets its stream aborts the knock', async (t) => {
  const door = await openDoor(t, { exchange: () => new Promise(() => {}) })
  const session = await openHttp2(t, door)
  const stream = session.request({ ':path': '/' })
  stream.on('error', () => {})
  while (door.knocks.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const aborted = new Promise<void>((resolve) =>
    door.knocks[0]?.signal.addEventListener('abort', resolve),
  )
  stream.close(constants.NGHTTP2_CANCEL)
  await aborted
})

t.test('an answer before the end of the request ends the stream', async (t) => {
  const door = await openDoor(t, {
    exchange: async () => ({ status: 413, headers: [], body: Buffer.from('too much') }),
    limits: { drainMs: 50 },
  })
  const session = await openHttp2(t, door)
  const stream = session.request({ ':path': '/', ':method': 'POST' })
  stream.write('and on and on')
  const status = await new Promise((resolve) =>
    stream.once('response', (fields) => resolve(fields[':status'])),
  )
  t.equal(status, 413)
  stream.resume()
  await new Promise((resolve) => stream.once('close', resolve))
  t.equal(stream.rstCode, constants.NGHTTP2_NO_ERROR)
})

t.test('1xx answers are passed on, 100 once the body is wanted', async (t) => {
  const door = await openDoor(t, {
    exchange: async (knock) => {
      knock.inform(103, ['link', '</a>; rel=preload'])
      return describe(knock)
    },
  })
  const session = await openHttp2(t, door)
  const plain = await ask(session, { ':path': '/' })
  t.same(plain.information, [103])
  const expecting = await ask(
    session,
    { ':path': '/', ':method': 'POST', expect: '100-continue' },
    'x',
  )
  t.match(expecting, { status: 200, information: [103], text: '"body":"x"' })
})

t.test(
  'the connection says goodbye when the listener closes, and ends its streams first',
  async (t) => {
    let release = () => {}
    const door = await openDoor(t, {
      async exchange() {
        await new Promise<void>((resolve) => (release = resolve))
        return { status: 200, headers: [], body: Buffer.from('done') }
      },
    })
    const session = await openHttp2(t, door)
    const answer = ask(session, { ':path': '/' })
    const goodbye = new Promise((resolve) => session.once('goaway', resolve))
    while (door.knocks.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const closed = door.listener.close({ graceMs: 5_000 })
    await goodbye
    release()
    t.match(await answer, { status: 200, text: 'done', code: 0 })
    await closed
  },
)

t.test('an upload that nobody reads stalls, and holds up no other', async (t) => {
  let stalled: Knock | undefined
  const door = await openDoor(t, {
    async exchange(knock) {
      if (knock.path !== '/stalled') return describe(knock)
      stalled = knock
      return new Promise(() => {})
    },
  })
  const session = await openHttp2(t, door)
  const first = session.request({ ':path': '/stalled', ':method': 'POST' })
  first.on('error', () => {})
  let sent = 0
  while (first.write(Buffer.alloc(65_536)) || sent < 100) {
    if (++sent > 200) break
    await new Promise((resolve) => setImmediate(resolve))
  }
  const text = 'x'.repeat(3_000_000)
  const answer = await ask(session, { ':path': '/', ':method': 'POST' }, text)
  t.match(answer, { status: 200 })
  t.equal(answer.text.includes(text), true)
  t.equal(stalled?.body?.readableLength, 0, 'what is not asked for is not read')
})
