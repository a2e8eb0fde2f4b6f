import { networkInterfaces } from 'node:os'
import t from 'tap'
import { faultOf, OK, rawServer, requestTo, send, upstreamFor } from './helpers/upstream.ts'

t.test("the gateway's own listeners are refused, whatever the route allows", async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  const { port } = server
  const local = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const elsewhere = local.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
  const cases: readonly (readonly [own: string, host: string, refused: boolean])[] = [
    [`127.0.0.1:${port}`, '127.0.0.1', true],
    [`127.0.0.1:${port}`, '::ffff:7f00:1', true],
    [`0.0.0.0:${port}`, '127.0.0.1', true],
    [`[::]:${port}`, '127.0.0.1', true],
    ...(elsewhere === undefined ? [] : [[`0.0.0.0:${port}`, elsewhere, true] as const]),
    [`127.0.0.1:${port + 1}`, '127.0.0.1', false],
    [`127.0.0.2:${port}`, '127.0.0.1', false],
  ]
  for (const [own, host, refused] of cases) {
    const upstream = upstreamFor(t, { ownAddresses: () => [own] })
    const route = { allowPrivate: ['0.0.0.0/0', '::/0'] }
    const call = send(upstream, requestTo(0, { origin: { scheme: 'http', host, port }, route }))
    if (!refused) t.equal((await call).status, 200, own)
    else t.match((await faultOf(call))['got'], /gateway$/, `${own} by ${host}`)
  }
  t.equal(server.received.length, 2)
})
