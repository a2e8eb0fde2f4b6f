import type { LookupAddress } from 'node:dns'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { rememberNames } from '../../../adapters/upstream/names.ts'
import { faultOf, OK, rawServer, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

const v4 = (address: string): LookupAddress => ({ address, family: 4 })
const named = (port: number) => ({ scheme: 'http', host: 'up.test', port }) as const
const CLOSING = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'
const LONG = 600_000

/** A resolver that gives these answers in turn, and the last one from then on. */
function resolver(...answers: readonly (readonly LookupAddress[])[]) {
  const asked: string[] = []
  const lookup = async (host: string) => {
    asked.push(host)
    return answers[Math.min(asked.length, answers.length) - 1] ?? []
  }
  return { asked, lookup }
}

t.test('a name is looked up once for many connections, and anew after its time', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(CLOSING))
  const { asked, lookup } = resolver([v4('127.0.0.1')])
  const call = async (upstream: ReturnType<typeof upstreamFor>) =>
    textOf((await send(upstream, requestTo(0, { origin: named(server.port) }))).body)
  const upstream = upstreamFor(t, { lookup, dnsMs: LONG })
  for (let at = 0; at < 3; at++) t.equal(await call(upstream), 'ok')
  t.same(asked, ['up.test'])
  t.equal(server.received.length, 3, 'of three connections')
  const names = rememberNames(lookup, 20)
  await names.lookup('a.test')
  await delay(60)
  await names.lookup('a.test')
  t.same(asked, ['up.test', 'a.test', 'a.test'])
})

t.test('what is remembered is checked for each route', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(CLOSING))
  const { lookup } = resolver([v4('127.0.0.1')])
  const upstream = upstreamFor(t, { lookup, dnsMs: LONG })
  const request = requestTo(0, { origin: named(server.port) })
  t.equal(await textOf((await send(upstream, request)).body), 'ok')
  const fault = await faultOf(send(upstream, { ...request, route: {} }))
  t.equal(fault['code'], 'address_refused')
})

t.test('an address that may not be dialled is not remembered', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(CLOSING))
  const { asked, lookup } = resolver([v4('10.9.9.9')], [v4('127.0.0.1')])
  const upstream = upstreamFor(t, { lookup, dnsMs: LONG })
  const request = requestTo(0, { origin: named(server.port) })
  t.equal((await faultOf(send(upstream, request)))['code'], 'address_refused')
  t.equal(await textOf((await send(upstream, request)).body), 'ok')
  t.equal(asked.length, 2)
})

t.test('addresses that nobody answers at are looked up again', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(CLOSING))
  // In 127.0.0.0/8 but not listened at; a service that has moved looks like that.
  const { asked, lookup } = resolver([v4('127.0.0.2')], [v4('127.0.0.1')])
  const upstream = upstreamFor(t, { lookup, dnsMs: LONG })
  const answer = await send(upstream, requestTo(0, { origin: named(server.port) }))
  t.equal(answer.address, `127.0.0.1:${server.port}`)
  t.equal(await textOf(answer.body), 'ok')
  t.equal(asked.length, 2)
})

t.test('calls that come together share a look-up; a failed one is asked again', async (t) => {
  let asked = 0
  const failing = async () => {
    asked++
    throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
  }
  const names = rememberNames(failing, LONG)
  const both = await Promise.allSettled([names.lookup('a.test'), names.lookup('a.test')])
  t.same(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  t.equal(asked, 1)
  await t.rejects(names.lookup('a.test'))
  t.equal(asked, 2)
})

t.test('the names that are remembered are bounded', async (t) => {
  const { asked, lookup } = resolver([v4('127.0.0.1')])
  const names = rememberNames(lookup, LONG)
  for (let at = 0; at <= 1_000; at++) await names.lookup(`${at}.test`)
  await names.lookup('1000.test')
  t.equal(asked.length, 1_001)
  await names.lookup('0.test')
  t.equal(asked.length, 1_002, 'the one that was not used for longest had gone')
})

t.test('of several addresses the one that answers is taken', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  const { lookup } = resolver([{ address: '::1', family: 6 }, v4('127.0.0.2'), v4('127.0.0.1')])
  const answer = await send(
    upstreamFor(t, { lookup, dnsMs: LONG }),
    requestTo(0, { origin: named(server.port) }),
  )
  t.equal(answer.address, `127.0.0.1:${server.port}`)
})
