import t from 'tap'
import {
  faultOf,
  heads,
  OK,
  rawServer,
  requestTo,
  send,
  textOf,
  upstreamFor,
} from './helpers/upstream.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

t.test('one connection serves calls in a row', async (t) => {
  const server = await rawServer(t, (socket) => socket.write(OK))
  const upstream = upstreamFor(t)
  for (let i = 0; i < 3; i++) await textOf((await send(upstream, requestTo(server.port))).body)
  t.same(server.received.map(heads), [3])
})

t.test('connections of another trust, route or origin are not shared', async (t) => {
  const server = await rawServer(t, (socket) => socket.write(OK))
  const upstream = upstreamFor(t, { lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
  const origin = { scheme: 'http', host: 'up.test', port: server.port } as const
  const routes = [
    {},
    { allowPrivate: ['127.0.0.0/9'] },
    { address: { host: '127.0.0.1', port: server.port } },
  ]
  await textOf((await send(upstream, requestTo(server.port, { origin }))).body)
  await textOf((await send(upstream, requestTo(server.port))).body)
  for (const route of routes.slice(1))
    await textOf((await send(upstream, requestTo(server.port, { origin, route }))).body)
  t.same(server.received.map(heads), [1, 1, 1, 1])
  t.equal(
    (await faultOf(send(upstream, requestTo(server.port, { origin, route: {} }))))['code'],
    'address_refused',
  )
})

t.test('an answer said ahead of its request is never taken for the next one', async (t) => {
  for (const delay of [0, 20]) {
    const server = await rawServer(t, (socket, _text, connection) => {
      socket.write(OK)
      if (connection > 0) return
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison'), delay)
    })
    const upstream = upstreamFor(t)
    t.equal(await textOf((await send(upstream, requestTo(server.port))).body), 'ok')
    await pause(60)
    t.equal(await textOf((await send(upstream, requestTo(server.port))).body), 'ok')
    t.same(server.received.map(heads), [1, 1])
  }
})

t.test('bytes behind an answer close its connection', async (t) => {
  const server = await rawServer(t, (socket, _text, connection) =>
    socket.write(connection === 0 ? OK + OK : OK),
  )
  const upstream = upstreamFor(t)
  const first = await send(upstream, requestTo(server.port))
    .then(({ body }) => textOf(body))
    .catch(() => 'broken')
  t.match(first, /^(ok|broken)$/)
  t.equal(await textOf((await send(upstream, requestTo(server.port))).body), 'ok')
  t.equal(server.received.length, 2)
})

t.test('200 calls at once all come back, and leave no warning', async (t) => {
  const warnings: string[] = []
  const onWarning = (warning: Error) => warnings.push(warning.name)
  process.on('warning', onWarning)
  const server = await rawServer(t, (socket) => socket.write(OK))
  const upstream = upstreamFor(t)
  const call = async () => textOf((await send(upstream, requestTo(server.port))).body)
  const all = await Promise.all(Array.from({ length: 200 }, call))
  process.off('warning', onWarning)
  t.ok(all.every((text) => text === 'ok'))
  t.same(warnings, [])
})

t.test('close ends everything', async (t) => {
  const server = await rawServer(t, () => {})
  const upstream = upstreamFor(t)
  const call = faultOf(send(upstream, requestTo(server.port)))
  await pause(30)
  await upstream.close()
  t.equal((await call)['code'], 'upstream_failed')
})
