import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { KEY } from '../helpers/gateway.ts'
import { basic, HOST, SHAPES } from '../helpers/shapes.ts'
import { openRecorder } from './recorder.ts'
import type { Answering } from './recorder.ts'
import { arrivedOf, wire } from './suite.ts'
import { converse, openTcp, readHead } from './wires.ts'

// Faults that users of other gateways reported in public, each by its kind and with its right value.

// Where a redirect would lead.
const elsewhere = await openRecorder(t)

const CLOSE = 'Connection: close\r\n\r\n'
const says =
  (bytes: string): Answering =>
  () => ({ bytes, end: true })

wire(
  'a decision hangs on the authority and the token, not on the shape',
  async (t, bench) => {
    for (const host of ['unknown.test', 'api.test.unknown.test', '192.0.2.1'])
      for (const shape of SHAPES.filter((each) => each !== 'mount')) {
        // An address is no TLS name, and Node's client insists on one.
        if (host === '192.0.2.1' && shape.startsWith('tunnel-h')) continue
        const got = await bench.gateway.ask(shape, { token: bench.token, host })
        t.same([got.status, got.header('refused')], [403, 'host_unknown'], `${shape}: ${host}`)
      }
  },
  { config: { unknown_hosts: 'refuse' } },
)

wire(
  'a redirect to another host is passed on, not followed, and takes no key along',
  async (t, bench) => {
    for (const shape of SHAPES) {
      const got = await bench.gateway.ask(shape, { token: bench.token, path: `/${shape}` })
      t.equal(got.status, 307, shape)
      t.match(got.header('location'), /^http:\/\/127\.0\.0\.1:/)
    }
    t.same(elsewhere.connections, [], 'nobody went there')
    t.ok(
      bench.recorder.connections.every(({ bytes }) => bytes.includes(KEY)),
      'the key went to its host',
    )
  },
  {
    answer: says(
      `HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:${elsewhere.plainPort}/\r\nContent-Length: 0\r\n${CLOSE}`,
    ),
    upstream: (name) => ({ keys: [{ name, header: 'x-key', secret: { env: 'FLOW_KEY' } }] }),
  },
)

wire('a gzip request body arrives as it was sent, with its field', async (t, bench) => {
  for (const shape of SHAPES) {
    const body = gzipSync(`for ${shape}`)
    const path = `/gzip-${shape}`
    const headers = { 'content-encoding': 'gzip', 'content-length': String(body.length) }
    await bench.gateway.ask(shape, { token: bench.token, method: 'POST', path, headers, body })
    const [request] = bench.recorder.holding(path).flatMap(({ requests }) => requests)
    t.equal(request?.body, body.toString('latin1'), shape)
    t.match(request?.fields.join('\n'), /^content-encoding: gzip$/im)
  }
})

// Serves one request on each connection, then hangs up on the second one's first byte, as a server does whose
// keep-alive time has run out.
const stale: Answering = (_request, { requests }) =>
  requests.length === 1
    ? { bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok' }
    : { bytes: '', end: true }

wire(
  'a POST on a connection that went stale is not sent twice',
  async (t, bench) => {
    for (const shape of SHAPES) {
      const ask = (method: string, path: string) =>
        bench.gateway.ask(shape, {
          token: bench.token,
          method,
          path,
          ...(method === 'POST' && { body: 'x' }),
        })
      t.equal((await ask('GET', `/first-${shape}`)).status, 200, shape)
      const { status } = await ask('POST', `/write-${shape}`)
      t.equal(
        arrivedOf(bench.recorder, `/write-${shape}`).length,
        1,
        `written once, answered ${status}`,
      )
    }
  },
  { answer: stale },
)

wire('after a 407 the same connection takes the CONNECT with credentials', async (t, bench) => {
  for (const authority of [`${HOST}:80`, `${HOST.toUpperCase()}:80`]) {
    const socket = await openTcp(bench.reach.proxyPort)
    const connect = `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n`
    socket.write(`${connect}\r\n`)
    const challenge = await readHead(socket)
    t.match(challenge, /^HTTP\/1\.1 407 [^]*\r\nproxy-authenticate: basic/i)
    const { length } = /content-length: (?<length>\d+)/i.exec(challenge)?.groups ?? {}
    let left = Number(length)
    socket.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left === 0) socket.removeAllListeners('data').emit('read')
    })
    const read = once(socket, 'read')
    socket.resume()
    await read
    // An eager client sends its first bytes for the tunnel along.
    const eager = `GET /eager HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`
    const credentials = `Proxy-Authorization: ${basic(`agent:${bench.token}`)}\r\n\r\n`
    const seen = await converse(socket, `${connect}${credentials}${eager}`, { ms: 8_000 })
    t.match(seen.text, /^HTTP\/1\.1 200 [^]*\r\n\r\nHTTP\/1\.1 200 [^]*ok$/, authority)
  }
  t.equal(arrivedOf(bench.recorder, '/eager').length, 2)
})

/** Where each of the twenty reports has its test, by a part of that test's name. */
const REPORTS: readonly (readonly [file: string, name: string])[] = [
  ['wire/framing-faults.test.ts', 'an answer without a length is framed'],
  ['wire/framing-faults.test.ts', 'trailers are forwarded'],
  ['wire/framing-faults.test.ts', '100 Continue comes once the head was allowed'],
  ['wire/framing-faults.test.ts', 'a request body of unknown length is sent in chunks'],
  ['wire/probes/lengths.ts', 'a length and chunks with a tab behind'],
  ['wire/probes/passing.ts', 'Connection that names a field'],
  ['wire/framing-faults.test.ts', 'a first frame in the same segment as the switch'],
  ['wire/faults.test.ts', 'a decision hangs on the authority and the token'],
  ['wire/names.test.ts', 'an answer that changes between two look-ups'],
  ['wire/names.test.ts', 'addresses that are not to be reached'],
  ['wire/connects.test.ts', 'authorities'],
  ['wire/names.test.ts', 'a TLS name that is not the tunnel’s'],
  ['wire/paths.test.ts', 'paths and targets'],
  ['wire/faults.test.ts', 'a redirect to another host is passed on'],
  ['flow/key-echo.test.ts', 'no client sees the key'],
  ['gateway/wire/encodings.test.ts', 'bombs are cut off by ratio and by size'],
  ['adapters/upstream/streaming.test.ts', 'an event arrives before the next one is sent'],
  ['wire/faults.test.ts', 'a POST on a connection that went stale is not sent twice'],
  ['wire/faults.test.ts', 'after a 407 the same connection takes the CONNECT'],
  ['gateway/tls/leaf-cache.test.ts', '200 hosts asked for in parallel are minted once each'],
]

t.test('every report has its test', async (t) => {
  t.equal(REPORTS.length, 20)
  for (const [file, name] of REPORTS)
    t.ok(
      readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').includes(name),
      `${file}: ${name}`,
    )
})
