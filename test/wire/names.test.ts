import { setTimeout as sleep } from 'node:timers/promises'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import t from 'tap'
import { basic, HOST } from '../helpers/shapes.ts'
import { ask } from './frames.ts'
import { verdictOf, wire } from './suite.ts'
import type { Bench } from './suite.ts'
import { converse, openTcp, openTls, openTunnel } from './wires.ts'

// What a name stands for is asked once, judged, and dialled: in every shape that can name one.

type Namer = 'absolute' | 'clear' | 'tls12' | 'tls13' | 'h2'
const NAMERS: readonly Namer[] = ['absolute', 'clear', 'tls12', 'tls13', 'h2']

const MS = 8_000
const one = { ms: MS, enough: (text: string) => /\r\n\r\n./s.test(text) }

/** Asks for this host and port in a shape, with what is written for Host; gives status and code. */
async function reach(bench: Bench, shape: Namer, { host, port }: { host: string; port: number }) {
  const authority = `${host}:${port}`
  const lines = [`Host: ${authority}`, 'Connection: close', '', ''].join('\r\n')
  if (shape === 'absolute') {
    const credentials = `Proxy-Authorization: ${basic(`agent:${bench.token}`)}\r\n`
    const bytes = `GET http://${authority}/ HTTP/1.1\r\n${credentials}${lines}`
    return answerOf(await converse(await openTcp(bench.reach.proxyPort), bytes, one))
  }
  const inside = `GET / HTTP/1.1\r\n${lines}`
  if (shape === 'clear')
    return answerOf(await converse(await openTunnel(bench, authority), inside, one))
  // An address is no server name (RFC 6066, 3).
  const servername = /[a-z]/i.test(host) && !host.startsWith('[') ? host.replace(/\.$/, '') : ''
  const wish = { authority, servername }
  if (shape === 'h2') {
    const tls = await openTls(bench, { ...wish, protocol: 'h2' })
    const pseudo = [
      [':method', 'GET'],
      [':scheme', 'https'],
      [':path', '/'],
    ] as const
    const end = await ask(tls, { headers: [...pseudo, [':authority', authority]] }, MS)
    return { status: end.status, code: /"code":"(\w+)"/.exec(end.body)?.[1] }
  }
  const version =
    shape === 'tls12' ? { maxVersion: 'TLSv1.2' as const } : { minVersion: 'TLSv1.3' as const }
  return answerOf(await converse(await openTls(bench, { ...wish, ...version }), inside, one))
}

function answerOf(seen: Parameters<typeof verdictOf>[0]) {
  const { status, code } = verdictOf(seen)
  return { status, code }
}

const REFUSED = { status: 403, code: 'address_refused' }

const ADDRESSES = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::FFFF:A9FE:A9FE]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::]',
  '[2001:0:1::]',
  '[fd00:ec2::254]',
  '[fc00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
]

wire('addresses that are not to be reached', async (t, bench) => {
  for (const host of ADDRESSES) {
    const work = NAMERS.map(async (shape) => [shape, await reach(bench, shape, { host, port: 9 })])
    const wanted = NAMERS.map((shape) => [shape, REFUSED])
    t.same(await Promise.all(work), wanted, host)
  }
})

wire('the gateway’s own addresses', async (t, bench) => {
  const { proxy, owner } = bench.gateway.gateway.addresses
  for (const address of [proxy, owner]) {
    const port = Number(address.slice(address.lastIndexOf(':') + 1))
    for (const shape of NAMERS)
      t.same(
        await reach(bench, shape, { host: '127.0.0.1', port }),
        REFUSED,
        `${shape}: ${address}`,
      )
  }
})

/** A resolver of our own under the whole process: the answers to a name, one after the other. */
function resolveTo(answers: Readonly<Record<string, readonly string[][]>>): readonly string[] {
  const asked: string[] = []
  const lookup = async (host: string) => {
    const turn = asked.filter((name) => name === host).length
    asked.push(host)
    const addresses = answers[host]?.[turn] ?? []
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  Object.assign(dns, { lookup })
  syncBuiltinESMExports()
  return asked
}

const systemLookup = dns.lookup
t.teardown(() => {
  Object.assign(dns, { lookup: systemLookup })
  syncBuiltinESMExports()
})

wire('names of addresses that are not to be reached', async (t, bench) => {
  const names = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'inside.test',
    'meta.test',
    'mapped.test',
    'both.test',
  ]
  for (const host of names)
    for (const shape of NAMERS) {
      resolveTo({
        localhost: [['127.0.0.1', '::1']],
        'inside.test': [['10.1.2.3']],
        'meta.test': [['169.254.169.254']],
        'mapped.test': [['::ffff:127.0.0.1', '64:ff9b::a00:1']],
        'both.test': [['127.0.0.1', '192.168.1.1']],
      })
      t.same(await reach(bench, shape, { host, port: 9 }), REFUSED, `${shape}: ${host}`)
    }
})

const ROUTE = { allow_private: ['127.0.0.1/32'] }

wire(
  'an answer that changes between two look-ups',
  async (t, bench) => {
    const { recorder } = bench
    for (const shape of NAMERS) {
      const plain = shape === 'absolute' || shape === 'clear'
      const place = { host: HOST, port: plain ? recorder.plainPort : recorder.securePort }
      const asked = resolveTo({ [HOST]: [['127.0.0.1'], ['10.9.9.9'], ['127.0.0.1']] })
      const before = recorder.connections.length
      t.equal((await reach(bench, shape, place)).status, 200, `${shape}: the first one is dialled`)
      t.same(asked, [HOST], 'and asked for once')
      await sleep(5)
      t.same(await reach(bench, shape, place), REFUSED, 'the second one is judged anew')
      t.equal(recorder.connections.length - before, 1, 'nothing was sent there')
    }
  },
  {
    // An answer is not kept, so that the second look-up comes.
    config: { limits: { upstream_dns_ms: 1 } },
    routes: (recorder) => [
      { ...ROUTE, name: 'by-name', hosts: [`${HOST}:${recorder.plainPort}`] },
      {
        ...ROUTE,
        name: 'by-name-tls',
        hosts: [`${HOST}:${recorder.securePort}`],
        ca: [recorder.caFile],
      },
    ],
  },
)

wire('a name that does not resolve', async (t, bench) => {
  resolveTo({})
  for (const shape of NAMERS) {
    const failed = { status: 502, code: 'upstream_failed' }
    t.same(await reach(bench, shape, { host: 'nowhere.test', port: 80 }), failed, shape)
  }
})

wire('a TLS name that is not the tunnel’s', async (t, bench) => {
  for (const maxVersion of ['TLSv1.2', undefined] as const)
    for (const [servername, status] of [
      ['other.test', 421],
      ['x.api.test', 421],
      ['api.test.other.test', 421],
      ['API.TEST', 200],
      ['', 200],
    ] as const) {
      const tls = await openTls(bench, { servername, ...(maxVersion && { maxVersion }) })
      const seen = await converse(tls, `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, one)
      const code = status === 200 ? undefined : 'authority_mismatch'
      t.same(answerOf(seen), { status, code }, `${maxVersion ?? 'TLSv1.3'}: ${servername}`)
    }
  t.equal(bench.recorder.connections.length, 4, 'only what agreed arrived')
})
