import { Readable } from 'node:stream'
import { writtenJson, type Envelope } from '../../catalog/index.ts'
import { answerCollection } from '../collections/answer.ts'
import { newId } from '../ids.ts'
import type { HolderDoor } from '../holder-door.ts'
import type { Knock } from '../knock.ts'
import { readJson } from '../run/body.ts'
import { methodNotTaken } from '../run/call.ts'
import { getHeader } from '../wire/headers.ts'
import type { BatchAnswer } from './answer.ts'
import { makeCall } from './make.ts'
import { readCalls } from './read.ts'
import { runCalls } from './run.ts'

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
export const runBatch: HolderDoor = async (asked, ports) => {
  const { exchange } = ports
  if (asked.method !== 'POST') throw methodNotTaken(asked.method, 'POST')
  const calls = readCalls(await readJson(asked, ports.limits), ports)
  const batch = newId()
  const collection = (knock: Knock, envelope: Envelope) => answerCollection(knock, envelope, ports)
  const answers = runCalls(calls, {
    make: (does) => makeCall(does, { asked, batch, exchange, ports, collection }),
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
