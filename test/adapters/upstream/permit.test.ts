import t from 'tap'
import { OK, permitFor, rawServer, requestTo, send, upstreamFor } from './helpers/upstream.ts'

t.test('a permit for anything else sends nothing', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  const upstream = upstreamFor(t)
  const base = `http://127.0.0.1:${server.port}/a`
  for (const target of [
    `POST ${base}`,
    `GET ${base}b`,
    `GET ${base.replace('http', 'https')}`,
    '',
  ]) {
    const sent = upstream.send(requestTo(server.port, { path: '/a' }), permitFor(target))
    await t.rejects(sent, TypeError, target)
  }
  const origin = { scheme: 'https', host: '127.0.0.1', port: server.port } as const
  const options = { signal: new AbortController().signal, timeout: 1_000 }
  const route = { allowPrivate: ['127.0.0.0/8'] }
  await t.rejects(
    upstream.connect(origin, route, permitFor(`CONNECT http://127.0.0.1:${server.port}`), options),
    TypeError,
  )
  t.same(server.received, [])
})

t.test(
  'a method that would be sent in another case than it was judged in sends nothing',
  async (t) => {
    const server = await rawServer(t, (socket) => socket.end(OK))
    for (const method of ['get', 'Get', 'connect']) {
      const request = requestTo(server.port, { method })
      await t.rejects(send(upstreamFor(t), request), TypeError, method)
    }
    t.same(server.received, [])
  },
)
