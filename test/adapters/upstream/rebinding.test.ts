import type { LookupAddress } from 'node:dns'
import t from 'tap'
import { faultOf, OK, rawServer, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

const v4 = (address: string): LookupAddress => ({ address, family: 4 })
const named = (port: number) => ({ scheme: 'http', host: 'up.test', port }) as const

t.test('a name is resolved once, and what was checked is dialled', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  let asked = 0
  // The second answer would be another address: whoever asks twice is caught.
  const lookup = async () => (asked++ === 0 ? [v4('127.0.0.1')] : [v4('10.9.9.9')])
  const answer = await send(
    upstreamFor(t, { lookup }),
    requestTo(0, { origin: named(server.port) }),
  )
  t.equal(await textOf(answer.body), 'ok')
  t.equal(answer.address, `127.0.0.1:${server.port}`)
  t.equal(asked, 1)
})

t.test('of a mixed answer only the allowed addresses are dialled', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  const lookup = async () => [v4('127.0.0.2'), { address: '::1', family: 6 }, v4('127.0.0.1')]
  const request = requestTo(0, {
    origin: named(server.port),
    route: { allowPrivate: ['127.0.0.1/32'] },
  })
  const answer = await send(upstreamFor(t, { lookup }), request)
  t.equal(answer.address, `127.0.0.1:${server.port}`)
})

t.test('a name of private addresses alone is refused, with all of them named', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  const lookup = async () => [v4('127.0.0.1'), v4('169.254.169.254')]
  const fault = await faultOf(
    send(upstreamFor(t, { lookup }), requestTo(0, { origin: named(server.port), route: {} })),
  )
  t.equal(fault['code'], 'address_refused')
  t.equal(fault['sent'], 'no')
  t.equal(fault['got'], '127.0.0.1 loopback, 169.254.169.254 metadata')
  t.same(server.received, [])
})

t.test('a literal is judged like a name', async (t) => {
  for (const host of ['127.0.0.1', '::1', '::ffff:7f00:1', '64:ff9b::a9fe:a9fe']) {
    const origin = { scheme: 'http', host, port: 1 } as const
    const fault = await faultOf(send(upstreamFor(t), requestTo(0, { origin, route: {} })))
    t.equal(fault['code'], 'address_refused', host)
  }
})

t.test("the operator's address is dialled without a look-up of the name", async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  const lookup = () => Promise.reject(new Error('asked'))
  const route = { address: { host: '127.0.0.1', port: server.port } }
  const answer = await send(upstreamFor(t, { lookup }), requestTo(0, { origin: named(80), route }))
  t.equal(await textOf(answer.body), 'ok')
})

t.test('a name that does not resolve sends nothing', async (t) => {
  for (const lookup of [
    async () => [],
    () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })),
  ]) {
    const fault = await faultOf(
      send(upstreamFor(t, { lookup }), requestTo(0, { origin: named(80) })),
    )
    t.equal(fault['code'], 'upstream_failed')
    t.equal(fault['sent'], 'no')
  }
})
