import type { Test } from 'tap'
import { SHAPES } from '../helpers/shapes.ts'
import { readAnswer } from './answer.ts'
import { head, send } from './probe.ts'
import type { Wire } from './probe.ts'
import { BYTES, OF_THE_HOP, PASSING_METHODS, SAID, SIXTY } from './probes/fidelity.ts'
import type { SaidAnswer } from './probes/fidelity.ts'
import type { Answering } from './recorder.ts'
import { arrivedOf, wire } from './suite.ts'
import type { Bench } from './suite.ts'
import { converse, fill, openWire } from './wires.ts'

// Everything that is nobody's business passes as it is: by each shape, byte for byte.

const PLAIN: readonly Wire[] = ['absolute', 'mount', 'clear', 'tls13']
const PATIENCE_MS = 8_000
// Of framing, of the hop, or the gateway's own.
const OWN =
  /^(?:content-length|transfer-encoding|connection|keep-alive|date|trailer|receipt|ledger-head):/i

interface Asking {
  readonly bytes: string
  readonly id: string
  readonly method?: string
}

/** One request in this shape, and the answer's own lines. */
async function askRaw(bench: Bench, shape: Wire, { bytes, id, method = 'GET' }: Asking) {
  const socket = await openWire(shape, bench)
  const enough = (text: string) => readAnswer(text, { method, closed: false }) !== undefined
  const filled = fill(shape, bench.token, { bytes, id })
  const { text, closed } = await converse(socket, filled, { ms: PATIENCE_MS, enough })
  const answer = readAnswer(text, { method, closed })
  return answer && { ...answer, fields: answer.fields.filter((line) => !OWN.test(line)) }
}

const said: Answering = ({ first }) => {
  const row = /\/said-(\d+)-/.exec(first)?.[1]
  const { bytes, ends = false } = SAID[Number(row)] as SaidAnswer
  return { bytes, end: ends }
}

wire(
  'answers, as clients of HTTP/1.1 see them',
  async (t, bench) => {
    for (const [row, { name, sees, method = 'GET' }] of SAID.entries()) {
      const wanted = { trailers: [], informed: [], ...sees, rest: '' }
      const walk = async (shape: Wire) => {
        const found = await askRaw(bench, shape, {
          bytes: send(method, []),
          id: `said-${row}-${shape}`,
          method,
        })
        t.match({ ...found, fields: sees.fields ? found?.fields : [] }, wanted, `${name}: ${shape}`)
        if (sees.fields) t.same(found?.fields, sees.fields, 'field by field')
      }
      await Promise.all(PLAIN.map(walk))
    }
  },
  { answer: said },
)

wire(
  'answers, as a client of HTTP/2 sees them',
  async (t, bench) => {
    for (const [row, { name, sees, method = 'GET', bytes }] of SAID.entries()) {
      const path = `/said-${row}-h2`
      const got = await bench.gateway.ask('tunnel-h2', { token: bench.token, method, path })
      t.equal(got.status, Number(/HTTP\/1\.\d ([2-9]\d\d) /.exec(bytes)?.[1]), name)
      t.equal(got.bytes.toString('latin1'), sees.body ?? '', 'its body')
      t.ok(got.whole)
      t.same(got.informed.length, sees.informed?.length ?? 0, 'answers on the way')
      checkFields(t, got.headers, sees.fields ?? [])
      checkFields(t, got.trailers(), sees.trailers ?? [])
    }
  },
  { answer: said },
)

/** Every wanted line is there; names in lower case, as HTTP/2 has them. */
function checkFields(t: Test, got: readonly string[], wanted: readonly string[]): void {
  const lines = got.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${got[at + 1]}`] : []))
  const lower = wanted.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
  t.same(
    lower.filter((line) => !lines.includes(line)),
    [],
  )
}

const echoed: Answering = ({ first }) => {
  const status = Number(/\/status-(\d+)-/.exec(first)?.[1])
  const bodied = status !== 204 && status !== 304
  return { bytes: `HTTP/1.1 ${status} S${status}\r\n${bodied ? 'Content-Length: 0\r\n' : ''}\r\n` }
}

wire(
  'statuses from 200 to 599 by turns in every shape, and to 999 in HTTP/1.1',
  async (t, bench) => {
    const wrong: string[] = []
    const statuses = Array.from({ length: 800 }, (_, at) => 200 + at).filter(
      (status) => status < 600 || status % 23 === 0,
    )
    const one = async (status: number) => {
      const shape = SHAPES[status % SHAPES.length] ?? 'mount'
      const way = status > 599 && shape === 'tunnel-h2' ? 'tunnel-h1' : shape
      const path = `/status-${status}-`
      const got = await bench.gateway.ask(way, { token: bench.token, path })
      const phrase = way === 'tunnel-h2' ? '' : `S${status}`
      if (got.status !== status || got.statusText !== phrase)
        wrong.push(`${way} ${status}: ${got.status} ${got.statusText}`)
    }
    for (let at = 0; at < statuses.length; at += 16)
      await Promise.all(statuses.slice(at, at + 16).map(one))
    t.same(wrong, [])
  },
  { answer: echoed },
)

wire('requests', async (t, bench) => {
  const wanted = (method: string, path: string, fields: readonly string[]) => [
    `${method} /${path} HTTP/1.1`,
    'Host: api.test',
    ...fields,
  ]
  for (const shape of PLAIN) {
    await askRaw(bench, shape, { bytes: send('GET', SIXTY), id: `sixty-${shape}` })
    t.match(arrivedOf(bench.recorder, `sixty-${shape}`), [
      { lines: wanted('GET', `sixty-${shape}`, SIXTY) },
    ])
    const conditions = [
      'Range: bytes=0-3, 5-',
      'If-Range: "x"',
      'If-None-Match: W/"a", "b"',
      'if-modified-since: Sat, 29 Oct 1994 19:43:31 GMT',
      'If-Match: *',
      'Cookie: a=1; b="2"',
      'Accept-Encoding: zstd;q=1.0, *;q=0',
    ]
    await askRaw(bench, shape, { bytes: send('GET', conditions), id: `part-${shape}` })
    t.match(arrivedOf(bench.recorder, `part-${shape}`), [
      { lines: wanted('GET', `part-${shape}`, conditions) },
    ])
    const body = BYTES.repeat(400)
    const length = `Content-Length: ${body.length}`
    await askRaw(bench, shape, { bytes: send('PUT', [length], body), id: `bytes-${shape}` })
    const [bytes] = arrivedOf(bench.recorder, `bytes-${shape}`) as { body: string }[]
    t.ok(bytes?.body === body, `${shape}: every byte of a body`)
  }
})

const hopped: Answering = () => ({
  bytes: `HTTP/1.1 200 OK\r\n${OF_THE_HOP.map((line) => `${line}\r\n`).join('')}Connection: X-Named\r\nX-Kept: 1\r\nContent-Length: 2\r\n\r\nok`,
})

wire(
  'fields of the hop end with it, both ways',
  async (t, bench) => {
    for (const shape of PLAIN) {
      // On a proxy's port this one holds the token.
      const sent = OF_THE_HOP.filter(
        (line) => shape !== 'absolute' || !line.startsWith('Proxy-Authorization'),
      )
      const fields = [...sent, 'Connection: X-Named', 'X-Kept: 1']
      const answer = await askRaw(bench, shape, { bytes: send('GET', fields), id: `hop-${shape}` })
      t.same(answer?.fields, ['X-Kept: 1'], `${shape}: of the answer`)
      const lines = [`GET /hop-${shape} HTTP/1.1`, 'Host: api.test', 'X-Kept: 1']
      const [request] = arrivedOf(bench.recorder, `hop-${shape}`) as { lines: readonly string[] }[]
      t.same(request?.lines, lines, `${shape}: of the request`)
    }
    const got = await bench.gateway.ask('tunnel-h2', { token: bench.token })
    const names = got.headers.filter((_, at) => at % 2 === 0)
    t.same(
      names.filter((name) => !/^(?::status|content-length|date|receipt|ledger-head)$/.test(name)),
      ['x-kept'],
      'tunnel-h2: of the answer',
    )
  },
  { answer: hopped },
)

wire('fields past ASCII before a body that comes later, or in chunks', async (t, bench) => {
  const latin = 'X-Latin: \xe9\xff'
  const chunks = '2\r\nok\r\n0\r\n\r\n'
  for (const [name, fields, body] of [
    ['chunked', [latin, 'Transfer-Encoding: chunked'], chunks],
    ['expecting', [latin, 'Content-Length: 2', 'Expect: 100-continue'], 'ok'],
    ['long', [latin, 'Content-Length: 100000'], 'x'.repeat(100_000)],
  ] as const)
    for (const shape of PLAIN) {
      const id = `latin-${name}-${shape}`
      await askRaw(bench, shape, { bytes: send('POST', fields, body), id })
      const [request] = arrivedOf(bench.recorder, id) as { lines: readonly string[] }[]
      t.ok(request?.lines.includes(latin), id)
    }
})

wire('trailers of a request', async (t, bench) => {
  const fields = ['Trailer: X-Sum', 'Transfer-Encoding: chunked']
  const body = '2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n'
  for (const shape of PLAIN) {
    await askRaw(bench, shape, { bytes: send('POST', fields, body), id: `trailed-${shape}` })
    const [connection] = bench.recorder.holding(`trailed-${shape}`)
    t.match(connection?.bytes, /\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n$/, shape)
  }
})

wire('methods', async (t, bench) => {
  for (const [row, method] of PASSING_METHODS.entries()) {
    const shape = PLAIN[row % PLAIN.length] ?? 'absolute'
    const id = `method-${method}-`
    await askRaw(bench, shape, { bytes: send(method, []), id, method })
    t.match(arrivedOf(bench.recorder, id), [{ lines: [`${method} /${id} HTTP/1.1`] }], method)
  }
})

wire('clients of HTTP/1.0', async (t, bench) => {
  for (const shape of ['absolute', 'clear', 'tls13'] as const) {
    const bytes = head('GET $AT/$ID HTTP/1.0', 'Host: $HOST')
    const found = await askRaw(bench, shape, { bytes, id: `old-${shape}` })
    t.match(found, { first: 'HTTP/1.1 200 OK', body: 'ok', rest: '' }, shape)
  }
})
