import t from 'tap'
import type { Route } from '../../../adapters/upstream/port.ts'
import { selfSigned } from './helpers/certificate.ts'
import { tlsServer } from './helpers/tls-server.ts'
import { faultOf, LOOPBACK, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

const CLOSING = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'
const identity = await selfSigned('up.test', '127.0.0.1')
const lookup = async () => [{ address: '127.0.0.1', family: 4 }]

const secure = (host: string, port: number, route: Route = {}) =>
  requestTo(port, {
    origin: { scheme: 'https', host, port },
    route: { allowPrivate: LOOPBACK, ...route },
  })

t.test('a certificate that nobody vouches for is refused before a byte is sent', async (t) => {
  const server = await tlsServer(t, identity, CLOSING)
  const fault = await faultOf(send(upstreamFor(t, { lookup }), secure('up.test', server.port)))
  t.equal(fault['code'], 'upstream_failed')
  t.equal(fault['sent'], 'no')
  t.match(fault['message'], /SELF_SIGNED|UNABLE_TO_VERIFY/)
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  t.teardown(() => void delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
  t.equal(
    (await faultOf(send(upstreamFor(t, { lookup }), secure('up.test', server.port))))['sent'],
    'no',
  )
})

t.test("the route's CA is trusted, for its own names alone", async (t) => {
  const server = await tlsServer(t, identity, CLOSING)
  const upstream = upstreamFor(t, { lookup })
  const route = { ca: [identity.cert] }
  t.equal(await textOf((await send(upstream, secure('up.test', server.port, route))).body), 'ok')
  const fault = await faultOf(send(upstream, secure('other.test', server.port, route)))
  t.match(fault['message'], /ERR_TLS_CERT_ALTNAME_INVALID/)
  t.equal((await faultOf(send(upstream, secure('up.test', server.port))))['sent'], 'no')
})

t.test('the server name is the host, none for an address; only HTTP/1.1 is offered', async (t) => {
  const server = await tlsServer(t, identity, CLOSING)
  const upstream = upstreamFor(t, { lookup })
  for (const host of ['up.test', '127.0.0.1']) {
    const route = { ca: [identity.cert] }
    await textOf((await send(upstream, secure(host, server.port, route))).body)
  }
  t.match(server.seen, [
    { servername: 'up.test', alpn: 'http/1.1' },
    { servername: false, alpn: 'http/1.1' },
  ])
})

t.test('sessions are resumed', async (t) => {
  const server = await tlsServer(t, identity, CLOSING)
  const upstream = upstreamFor(t, { lookup })
  for (let i = 0; i < 2; i++) {
    await textOf(
      (await send(upstream, secure('up.test', server.port, { ca: [identity.cert] }))).body,
    )
  }
  t.same(
    server.seen.map(({ resumed }) => resumed),
    [false, true],
  )
})
