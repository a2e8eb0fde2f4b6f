import { once } from 'node:events'
import t from 'tap'
import { faultOf, permitFor, rawServer, upstreamFor } from './helpers/upstream.ts'

const target = (port: number) => permitFor(`CONNECT https://127.0.0.1:${port}`)
const originOf = (port: number) => ({ scheme: 'https', host: '127.0.0.1', port }) as const

t.test('a tunnel is the bare connection, no TLS added', async (t) => {
  const server = await rawServer(t, (socket, text) => socket.write(text))
  const signal = new AbortController().signal
  const route = { allowPrivate: ['127.0.0.0/8'] }
  const { port } = server
  const { socket, address } = await upstreamFor(t).connect(originOf(port), route, target(port), {
    signal,
    timeout: 1_000,
  })
  t.equal(address, `127.0.0.1:${port}`)
  socket.write('hello')
  t.equal(String((await once(socket, 'data'))[0]), 'hello')
  socket.destroy()
})

t.test('the address is judged, and an abort hangs up', async (t) => {
  const server = await rawServer(t, () => {})
  const { port } = server
  const stop = new AbortController()
  const options = { signal: stop.signal, timeout: 1_000 }
  const upstream = upstreamFor(t)
  t.equal(
    (await faultOf(upstream.connect(originOf(port), {}, target(port), options)))['code'],
    'address_refused',
  )
  const route = { allowPrivate: ['127.0.0.0/8'] }
  const { socket } = await upstream.connect(originOf(port), route, target(port), options)
  stop.abort()
  await t.resolves(once(socket, 'close'))
})
