import { connect } from 'node:net'
import t from 'tap'
import type { Route } from '../../../adapters/upstream/port.ts'
import { selfSigned } from './helpers/certificate.ts'
import { tlsServer } from './helpers/tls-server.ts'
import {
  faultOf,
  OK,
  permitFor,
  rawServer,
  requestTo,
  send,
  textOf,
  upstreamFor,
} from './helpers/upstream.ts'

const CLOSING = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'
const authorization = 'Basic dXNlcjpwYXNz'
const identity = await selfSigned('up.test')

/** A lookup that must not be asked for anything but the proxy. */
const lookup = async (host: string) => {
  if (host !== 'proxy.test') throw new Error(`looked up ${host}`)
  return [{ address: '127.0.0.1', family: 4 }]
}

/** A proxy that connects every tunnel to `port`. */
const tunnelling = (t: Parameters<typeof rawServer>[0], port: number) => {
  const joined = new WeakSet()
  return rawServer(t, (socket) => {
    if (joined.has(socket)) return
    joined.add(socket)
    const far = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      far.pipe(socket).pipe(far)
    })
    far.on('error', () => socket.destroy())
    socket.on('close', () => far.destroy())
  })
}

const through = (port: number, more: Route = {}): Route => ({
  proxy: { host: 'proxy.test', port, authorization },
  ...more,
})

t.test('https goes through CONNECT, and is checked end to end', async (t) => {
  const server = await tlsServer(t, identity, CLOSING)
  const proxy = await tunnelling(t, server.port)
  const origin = { scheme: 'https', host: 'up.test', port: 443 } as const
  const upstream = upstreamFor(t, { lookup })
  const route = through(proxy.port, { ca: [identity.cert] })
  const headers = ['Host', 'up.test', 'Authorization', 'Bearer inner']
  const answer = await send(upstream, requestTo(0, { origin, route, headers }))
  t.equal(await textOf(answer.body), 'ok')
  t.match(proxy.received[0], /^CONNECT up\.test:443 HTTP\/1\.1\r\nHost: up\.test:443\r\n/)
  t.match(proxy.received[0], `Proxy-Authorization: ${authorization}`)
  t.notMatch(proxy.received[0], /inner/)
  t.match(server.seen, [{ servername: 'up.test' }])
  t.equal(
    (await faultOf(send(upstream, requestTo(0, { origin, route: through(proxy.port) }))))['sent'],
    'no',
  )
})

t.test('http goes in absolute form with the login', async (t) => {
  const proxy = await rawServer(t, (socket) => socket.end(OK))
  const origin = { scheme: 'http', host: 'up.test', port: 8080 } as const
  const answer = await send(
    upstreamFor(t, { lookup }),
    requestTo(0, { origin, route: through(proxy.port), path: '/a?b' }),
  )
  t.equal(await textOf(answer.body), 'ok')
  t.match(proxy.received[0], /^GET http:\/\/up\.test:8080\/a\?b HTTP\/1\.1\r\n/)
  t.match(proxy.received[0], `Proxy-Authorization: ${authorization}`)
})

t.test('hosts of the bypass list are reached directly, without the login', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  const upstream = upstreamFor(t, { lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
  for (const host of ['up.test', 'a.inner.test', 'inner.test']) {
    const origin = { scheme: 'http', host, port: server.port } as const
    const route = {
      ...through(1),
      allowPrivate: ['127.0.0.0/8'],
      noProxy: ['up.test', '.inner.test'],
    }
    await textOf((await send(upstream, requestTo(0, { origin, route }))).body)
  }
  t.notMatch(server.received.join(), /Proxy-Authorization|http:/)
  t.equal(server.received.length, 3)
})

t.test('a proxy that refuses is named, without its login', async (t) => {
  const proxy = await rawServer(t, (socket) =>
    socket.end('HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n'),
  )
  const origin = { scheme: 'https', host: 'up.test', port: 443 } as const
  const fault = await faultOf(
    send(upstreamFor(t, { lookup }), requestTo(0, { origin, route: through(proxy.port) })),
  )
  t.equal(fault['code'], 'upstream_failed')
  t.equal(fault['sent'], 'no')
  t.match(fault['message'], /status `407`/)
  t.notMatch(fault['message'], /dXNlcj/)
})

t.test('an address literal is judged before a proxy is asked', async (t) => {
  const proxy = await rawServer(t, (socket) => socket.end(OK))
  for (const scheme of ['http', 'https'] as const) {
    const origin = { scheme, host: '169.254.169.254', port: 80 }
    const fault = await faultOf(
      send(upstreamFor(t, { lookup }), requestTo(0, { origin, route: through(proxy.port) })),
    )
    t.equal(fault['code'], 'address_refused')
  }
  t.same(proxy.received, [])
})

t.test('a blind tunnel goes through the proxy too, first bytes kept', async (t) => {
  const proxy = await rawServer(t, (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nSSH-2.0-x'))
  const origin = { scheme: 'https', host: 'up.test', port: 22 } as const
  const options = { signal: new AbortController().signal, timeout: 1_000 }
  const permit = permitFor('CONNECT https://up.test:22')
  const { socket } = await upstreamFor(t, { lookup }).connect(
    origin,
    through(proxy.port),
    permit,
    options,
  )
  const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
  t.equal(first.toString(), 'SSH-2.0-x')
  socket.destroy()
})
