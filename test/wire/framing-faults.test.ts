import { once } from 'node:events'
import { HOST, SHAPES } from '../helpers/shapes.ts'
import { WIRES } from './probe.ts'
import { SWITCHED } from './recorder.ts'
import type { Answering } from './recorder.ts'
import { verdictOf, wire } from './suite.ts'
import { converse, fill, openTls, openWire, readHead } from './wires.ts'

// Faults that users of other gateways reported in public, each by its kind and with its right value.

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n'
const CLOSE = 'Connection: close\r\n\r\n'
const says =
  (bytes: string, end = true): Answering =>
  () => ({ bytes, end })

wire(
  'an answer without a length is framed, and its TLS connection is used again and ends cleanly',
  async (t, bench) => {
    for (const version of [{ maxVersion: 'TLSv1.2' }, { minVersion: 'TLSv1.3' }] as const) {
      const tls = await openTls(bench, version)
      const ended = once(tls, 'end')
      const get = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n`
      tls.write(`${get}\r\n`)
      const head = await readHead(tls)
      t.match(head, /\r\ntransfer-encoding: chunked\r\n/i)
      t.notMatch(head, /\r\ncontent-length:/i)
      let text = ''
      tls.on('data', (chunk: Buffer) => (text += chunk.toString('latin1'))).resume()
      tls.write(`${get}Connection: close\r\n\r\n`)
      await ended
      t.match(
        text,
        /^2\r\nok\r\n0\r\n\r\nHTTP\/1\.1 200 /,
        'the second answer on the same connection',
      )
      t.match(text, /0\r\n\r\n$/, 'and close_notify behind its last chunk')
    }
  },
  { answer: says(`${CHUNKED}\r\n2\r\nok\r\n0\r\n\r\n`, false) },
)

for (const announced of ['', 'Trailer: x-sum\r\n'])
  wire(
    `trailers are forwarded, ${announced ? 'announced' : 'not announced'}`,
    async (t, bench) => {
      for (const shape of SHAPES) {
        const got = await bench.gateway.ask(shape, { token: bench.token })
        t.same([got.text, got.whole], ['ok', true], shape)
        t.match(got.trailers().join(), /x-sum,7/i, 'its trailer')
      }
    },
    { answer: says(`${CHUNKED}${announced}${CLOSE}2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n`) },
  )

const expecting = (expect: string) =>
  `PUT $AT/$ID HTTP/1.1\r\nHost: $HOST\r\n$OWNContent-Length: 1000000\r\nExpect: ${expect}\r\n\r\n`
const BODIED = WIRES.filter((shape) => shape !== 'ws' && shape !== 'wss')

wire(
  '100 Continue comes once the head was allowed, and never before a refusal',
  async (t, bench) => {
    const refused = { ...bench, token: bench.gateway.mint('tools = HTTP_GET') }
    for (const shape of BODIED) {
      const bytes = fill(shape, refused.token, { id: 'no', bytes: expecting('100-continue') })
      const socket = await openWire(shape, refused)
      const { status, code, answers } = verdictOf(await converse(socket, bytes, { ms: 8_000 }))
      t.same(
        { status, code, answers },
        { status: 403, code: 'tool_not_granted', answers: 1 },
        shape,
      )
      const allowed = await openWire(shape, bench)
      allowed
        .resume()
        .write(fill(shape, bench.token, { id: `go-${shape}`, bytes: expecting('100-Continue') }))
      t.match(await readHead(allowed), /^HTTP\/1\.1 100 /, `${shape}: go on`)
      allowed.resume().write('x'.repeat(1_000_000))
      t.match(await readHead(allowed), /^HTTP\/1\.1 200 /, 'and the answer')
      allowed.destroy()
      const [request] = bench.recorder.holding(`go-${shape}`).flatMap(({ requests }) => requests)
      t.equal(request?.body.length, 1_000_000, 'the body is whole')
    }
    t.equal(bench.recorder.holding('/no').length, 0, 'nothing arrived of the refused one')
  },
)

wire('a request body of unknown length is sent in chunks', async (t, bench) => {
  for (const shape of SHAPES) {
    const path = `/upload-${shape}`
    const headers = shape === 'tunnel-h2' ? {} : { 'transfer-encoding': 'chunked' }
    const body = `${shape} `.repeat(10_000)
    await bench.gateway.ask(shape, { token: bench.token, method: 'PATCH', path, headers, body })
    const [request] = bench.recorder.holding(path).flatMap(({ requests }) => requests)
    t.same([request?.framing, request?.body === body], ['chunked', true], shape)
  }
})

wire(
  'a first frame in the same segment as the switch is delivered, and so is one behind the request',
  async (t, bench) => {
    for (const shape of ['ws', 'wss'] as const) {
      const bytes = fill(shape, bench.token, {
        id: 'x',
        bytes: 'GET $AT/$ID HTTP/1.1\r\nHost: $HOST\r\n$OWN\r\n',
      })
      const seen = await converse(await openWire(shape, bench), bytes, { ms: 8_000 })
      t.match(seen.text, /^HTTP\/1\.1 101 [^]*\r\n\r\n\x81\x02hi$/, shape)
    }
  },
  { answer: says(`${SWITCHED}\x81\x02hi`) },
)
