import { Readable } from 'node:stream'
import { writtenJson } from '../../catalog/index.ts'
import { createPresence } from '../doors/presence.ts'
import { newId } from '../ids.ts'
import type { Exchange, Knock, Reply } from '../knock.ts'
import {
  collectionNotServed,
  methodNotTaken,
  readJson,
  toolOf,
  type RunPorts,
} from '../run/call.ts'
import { knockOfCall, knockOfRequest, refusedOr, type WritingPorts } from '../run/knock.ts'
import { getHeader } from '../wire/headers.ts'
import type { BatchAnswer } from './answer.ts'
import { readCalls, type BatchCall } from './calls.ts'
import { runCalls } from './run.ts'

/** What a batch needs besides the exchange of its calls. */
export type BatchPorts = WritingPorts & RunPorts

/** How answers are written: whole and in order, or each as it finishes. */
type Form = 'json' | 'ndjson' | 'sse'

const TYPES: Readonly<Record<Form, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  sse: 'text/event-stream',
}

/**
 * Makes all calls of a batch, each of which is decided, receipted and projected by itself under the batch's id.
 * @throws Refusal where it is no batch
 */
export async function runBatch(
  asked: Knock,
  exchange: Exchange,
  ports: BatchPorts,
): Promise<Reply> {
  if (asked.method !== 'POST') throw methodNotTaken(asked.method, 'POST')
  const calls = readCalls(await readJson(asked, ports))
  const batch = newId()
  const answers = runCalls(calls, {
    make: (does) => make(does, { asked, batch, exchange, ports }),
    gone: () => asked.signal.aborted,
    names: ports.headers,
  })
  const form = formOf(getHeader(asked.headers, 'accept') ?? '')
  const headers = ['content-type', TYPES[form], 'cache-control', 'no-store', 'batch', batch]
  const status = 200
  if (form !== 'json') return { status, headers, body: Readable.from(written(answers, form)) }
  const found = new Map<string, BatchAnswer>()
  for await (const answer of answers) found.set(answer.key, answer)
  const results = calls.flatMap(({ key }) => found.get(key) ?? [])
  return { status, headers, body: Buffer.from(`${writtenJson({ batch, results })}\n`) }
}

function formOf(accept: string): Form {
  if (accept.includes(TYPES.sse)) return 'sse'
  return accept.includes(TYPES.ndjson) ? 'ndjson' : 'json'
}

async function* written(answers: AsyncIterable<BatchAnswer>, form: Form): AsyncGenerator<Buffer> {
  for await (const answer of answers) {
    const text = writtenJson(answer)
    yield Buffer.from(form === 'sse' ? `data: ${text}\n\n` : `${text}\n`)
  }
}

interface Around {
  readonly asked: Knock
  readonly batch: string
  readonly exchange: Exchange
  readonly ports: BatchPorts
}

/** One call is a knock of its own: it can be cut without the others, and ends with its client. */
function make(does: BatchCall['does'], { asked, batch, exchange, ports }: Around): Promise<Reply> {
  const presence = createPresence()
  asked.signal.addEventListener('abort', () => presence.cancel())
  if (asked.signal.aborted) presence.cancel()
  const own: Knock = {
    ...asked,
    batch,
    body: null,
    signal: presence.signal,
    cancel: () => presence.cancel(),
    proceed: () => {},
    inform: () => {},
  }
  return exchange(refusedOr(own, () => knockOf(own, does, ports)))
}

function knockOf(own: Knock, does: BatchCall['does'], ports: BatchPorts): Knock {
  if (does.kind === 'broken') throw does.refused
  if (does.kind === 'http') return knockOfRequest(own, does.form, ports)
  const { envelope } = does
  if (envelope.op !== 'call') throw collectionNotServed(envelope)
  return knockOfCall(own, { envelope, tool: toolOf(envelope.target, ports) }, ports)
}
