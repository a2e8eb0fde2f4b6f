import type { TLSSocket } from 'node:tls'
import { createServer } from 'node:tls'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Test } from 'tap'
import { SecretText } from '../../../adapters/keys/secret.ts'
import type { Route } from '../../../adapters/upstream/port.ts'
import { selfSigned } from './helpers/certificate.ts'
import { faultOf, LOOPBACK, OK, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
const server = await selfSigned('up.test')
const clients = { one: await selfSigned('one.test'), two: await selfSigned('two.test') }

/** An upstream that takes the two clients and nobody else; it tells by serial number whom it saw, on each connection. */
async function mutualServer(t: Test) {
  const seen: string[] = []
  const sockets = new Set<TLSSocket>()
  const ca = [clients.one.cert, clients.two.cert]
  const listening = createServer({ ...server, ca, requestCert: true }, (socket) => {
    sockets.add(socket)
    seen.push(socket.getPeerCertificate().fingerprint256)
    socket.on('error', () => {}).on('data', () => void socket.write(OK))
  })
  listening.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    listening.close()
  })
  return { port: (listening.address() as AddressInfo).port, seen }
}

const shown = ({ cert, key }: typeof server): Route => ({
  clientCertificate: { cert, key: new SecretText('client', key) },
})
const secure = (port: number, route: Route) =>
  requestTo(port, {
    origin: { scheme: 'https', host: 'up.test', port },
    route: { allowPrivate: LOOPBACK, ca: [server.cert], ...route },
  })

t.test('the upstream is shown the certificate of the route', async (t) => {
  const { port, seen } = await mutualServer(t)
  const upstream = upstreamFor(t, { lookup })
  t.equal(await textOf((await send(upstream, secure(port, shown(clients.one)))).body), 'ok')
  t.equal(seen.length, 1)
})

t.test('without one, or with one that it does not know, it gives no answer', async (t) => {
  const { port, seen } = await mutualServer(t)
  const upstream = upstreamFor(t, { lookup })
  for (const route of [{}, shown(await selfSigned('other.test'))]) {
    const fault = await faultOf(send(upstream, secure(port, route)))
    t.equal(fault['code'], 'upstream_failed')
  }
  t.same(seen, [])
})

t.test('no connection is shared between two of them', async (t) => {
  const { port, seen } = await mutualServer(t)
  const upstream = upstreamFor(t, { lookup })
  for (const who of ['one', 'two', 'one', 'two'] as const)
    t.equal(await textOf((await send(upstream, secure(port, shown(clients[who])))).body), 'ok')
  t.equal(seen.length, 2, 'one connection for each, used twice')
  t.equal(new Set(seen).size, 2)
})
