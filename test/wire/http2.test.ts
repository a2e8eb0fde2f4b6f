import { HOST } from '../helpers/shapes.ts'
import { ask } from './frames.ts'
import type { Field, Frames, StreamEnd } from './frames.ts'
import { DROPPED_FIELDS, PASSED_STREAMS, REFUSED_STREAMS } from './probes/http2.ts'
import type { PassedStream } from './probes/http2.ts'
import { arrivedOf, wire } from './suite.ts'
import type { Bench } from './suite.ts'
import { openTls } from './wires.ts'

async function askOn(bench: Bench, frames: Frames, id: string): Promise<StreamEnd> {
  const named = (fields: readonly Field[]) =>
    fields.map(([name, value]): Field => [name, value.replaceAll('$ID', id)])
  const tls = await openTls(bench, { protocol: 'h2', servername: HOST })
  const { headers, trailers, ...rest } = frames
  const sent = { ...rest, headers: named(headers), ...(trailers && { trailers: named(trailers) }) }
  return ask(tls, sent, 8_000)
}

wire('streams that are refused', async (t, bench) => {
  for (const [row, probe] of REFUSED_STREAMS.entries()) {
    const { name, status = 400 } = probe
    const end = await askOn(bench, probe, `h${row}-`)
    const code = status === 421 ? 'authority_mismatch' : 'malformed_request'
    if (end.broken) t.equal(end.status, 0, `${name}: reset`)
    else t.match([end.status, end.body], [status, new RegExp(`"code":"${code}"`)], name)
  }
  t.same(
    bench.recorder.connections.flatMap(({ requests }) => requests),
    [],
    'no request arrived',
  )
  t.notMatch(bench.recorder.connections.map(({ bytes }) => bytes).join(''), /smuggled|other\.test/)
})

async function passOn(bench: Bench, { lines, body, framing, ...frames }: PassedStream, id: string) {
  const { status, broken } = await askOn(bench, frames, id)
  const wanted = { lines: lines.map((line) => line.replaceAll('$ID', id)), body, framing }
  const found = { status, requests: arrivedOf(bench.recorder, id) }
  const defaults = { body: body ?? '', framing: framing ?? 'none', whole: true }
  return { found, broken, wanted: { status: 200, requests: [{ ...wanted, ...defaults }] } }
}

wire('streams that pass', async (t, bench) => {
  for (const [row, probe] of PASSED_STREAMS.entries()) {
    const { found, wanted } = await passOn(bench, probe, `h${row}-`)
    t.same(found, wanted, probe.name)
  }
})

wire('fields that are dropped', async (t, bench) => {
  for (const [row, probe] of DROPPED_FIELDS.entries()) {
    const { found, wanted, broken } = await passOn(bench, probe, `h${row}-`)
    t.same(found, broken ? { status: 0, requests: [] } : wanted, probe.name)
  }
})
