import { pipeline, type Readable } from 'node:stream'
import type { Answer, RawHeaders } from '../../adapters/upstream/port.ts'
import type { Call } from '../call.ts'
import type { HeaderNames } from '../config/types.ts'
import type { Ending } from '../ending.ts'
import type { Reply } from '../knock.ts'
import type { Notes } from '../notes.ts'
import type { Ports } from '../ports.ts'
import { AnswerBody, type Step } from '../wire/answer-body.ts'
import { createCut, cutFields, type Cutting } from '../wire/cut.ts'
import { readableBody } from '../wire/encodings.ts'
import { firstPart } from '../wire/first-part.ts'
import { forwardAnswerHeaders, getHeader } from '../wire/headers.ts'
import { recorderFor } from '../wire/record-body.ts'
import { createAnswerRecorders, type AnswerRecorders } from '../wire/recorders.ts'
import type { Redactor } from '../wire/redactor.ts'
import { watchSocket } from '../wire/watched-socket.ts'

/** An answer of up to so many bytes is cut down whole, so that its head can say by how much. */
const WHOLE_BYTES = 65_536

export interface Answered {
  readonly answer: Answer
  readonly call: Call
  readonly ending: Ending
}

/** What all the ways of delivering an answer share. */
interface Delivery {
  readonly head: Pick<Reply, 'status' | 'statusText' | 'headers' | 'trailers'>
  readonly redactor: Redactor | undefined
  readonly recorders: AnswerRecorders
  readonly ending: Ending
  readonly notes: Notes
}

/**
 * Turns the upstream's answer into the reply: keys masked, cut down to what was asked for, recorded. The reply's
 * last piece is released only once the outcome is durable.
 */
export async function projectAnswer(
  { answer, call, ending }: Answered,
  notes: Notes,
  ports: Ports,
): Promise<Reply> {
  const { config, keyring } = notes.snapshot
  const redactor = keyring.redactorFor(call.upstream)
  const fields = answerFields(answer, redactor, Object.values(config.headers))
  const bodied = answer.socket === undefined && !hasNoBody(notes.knock.method, answer.status)
  const cut = bodied ? createCut(call, answer.status, { fields, limits: config.limits }) : undefined
  const mediaType = getHeader(fields, 'content-type')
  const keeping = { bodies: ports.bodies, redactor: keyring.redactor }
  const recorders = createAnswerRecorders({ keep: call.keep, cut, mediaType }, keeping)
  const ours = [config.headers.receipt, notes.id, config.headers.head, ports.ledger.head().hash]
  const head = {
    status: answer.status,
    statusText: redactor === undefined ? answer.statusText : redactor.redactText(answer.statusText),
    headers: [...fields, ...ours],
    trailers: () => (redactor === undefined ? answer.trailers() : redactor.redactHeaders(answer.trailers())),
  }
  const delivery = { head, redactor, recorders, ending, notes }
  if (answer.socket !== undefined) {
    const sent = recorderFor('hashed', keeping, undefined)
    const socket = watchSocket(answer.socket, { redactor, sent, recorders, notes, ending })
    return { ...head, body: null, socket }
  }
  if (!bodied) return bodyless(answer, delivery)
  if (redactor === undefined && cut === undefined) return streamed(answer.body, delivery)
  const readable = readableBody(answer.body, head.headers)
  const inspected = { ...delivery, head: { ...head, headers: readable.headers } }
  if (cut === undefined) return streamed(readable.body, inspected)
  if (cut.kind === 'no') return streamed(readable.body, labelled(inspected, config.headers.projected, 'no'))
  const shortened = { ...head, headers: cutFields(readable.headers, cut) }
  return projected(readable.body, cut, { ...delivery, head: shortened, names: config.headers })
}

function answerFields(answer: Answer, redactor: Redactor | undefined, ours: readonly string[]): RawHeaders {
  const fields = forwardAnswerHeaders(answer.headers, ours)
  return redactor === undefined ? fields : redactor.redactHeaders(fields)
}

/** RFC 9110, 6.4.1: these answers have no content, whatever their head says of its length. */
function hasNoBody(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 304
}

async function bodyless({ body }: Answer, { head, recorders, ending, notes }: Delivery): Promise<Reply> {
  body.resume()
  await recorders.note(notes, false)
  await ending.complete()
  return { ...head, body: null }
}

function labelled<D extends Delivery>(delivery: D, name: string, value: string): D {
  return { ...delivery, head: { ...delivery.head, headers: [...delivery.head.headers, name, value] } }
}

/** The body goes on as it comes. */
function streamed(source: Readable, { head, redactor, recorders, ending, notes }: Delivery, cut?: Cutting): Reply {
  const body = new AnswerBody({
    ...(redactor === undefined ? {} : { redact: redactStep(redactor) }),
    ...(recorders.upstream === undefined ? {} : { upstream: recorders.upstream }),
    ...(cut === undefined ? {} : { project: cut.step }),
    delivered: recorders.delivered,
    length: cut === undefined ? contentLength(head.headers) : undefined,
    beforeLast: async () => {
      await recorders.note(notes, false)
      await ending.complete()
    },
  })
  pipeline(source, body, (error) => {
    if (error === null || error === undefined) return
    const gone = notes.knock.signal.aborted
    void recorders.note(notes, true).then(() => ending.broken(error, gone))
  })
  return { ...head, body }
}

function redactStep(redactor: Redactor): Step {
  const stream = redactor.stream()
  return { push: (chunk) => [stream.push(chunk)], end: () => [stream.flush()] }
}

function contentLength(headers: RawHeaders): number | undefined {
  const text = getHeader(headers, 'content-length')
  return text === undefined ? undefined : Number(text)
}

type Projecting = Delivery & { readonly names: HeaderNames }

/**
 * Cuts the answer down: whole where it is short or where its end must be known (order, page, aggregate), else
 * row by row. Whatever is wrong with it before the first byte went out becomes a refusal with its own status.
 */
async function projected(source: Readable, cut: Cutting, delivery: Projecting): Promise<Reply> {
  const { recorders, notes, ending, names } = delivery
  try {
    const short = cut.live ? undefined : await firstPart(source, WHOLE_BYTES)
    if (short?.whole === true) return await whole([short.bytes], cut, delivery)
    if (cut.collects) return await whole(source, cut, delivery)
    const reply = streamed(source, labelled(delivery, names.projected, 'streamed'), cut)
    if (!cut.live) await firstOutput(reply.body as Readable)
    return reply
  } catch (error) {
    await recorders.note(notes, true)
    throw await ending.broken(error)
  }
}

async function whole(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  cut: Cutting,
  { head, redactor, recorders, ending, notes, names }: Projecting,
): Promise<Reply> {
  const out: Uint8Array[] = []
  const redact = redactor === undefined ? undefined : redactStep(redactor)
  const deliver = (pieces: readonly Uint8Array[]) => {
    for (const piece of pieces) {
      recorders.delivered.write(piece)
      out.push(piece)
    }
  }
  const take = async (chunks: readonly Uint8Array[]) => {
    for (const chunk of chunks) {
      if (recorders.upstream?.write(chunk) === false) await recorders.upstream.drained()
      deliver(cut.step.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)))
    }
  }
  for await (const chunk of source) await take(redact === undefined ? [chunk] : redact.push(chunk))
  if (redact !== undefined) await take(redact.end())
  deliver(cut.step.end())
  await recorders.note(notes, false)
  await ending.complete()
  const [before, after] = cut.figures()
  const ours = [names.projected, `${before}->${after}`, ...cut.cursorFields(names.cursor)]
  return { ...head, headers: [...head.headers, ...ours], body: Buffer.concat(out) }
}

/** Waits until the first bytes are there, or the end; rejects where the body broke before. */
function firstOutput(body: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    body.once('readable', resolve)
    body.once('error', reject)
  })
}
