import { pipeline, type Readable } from 'node:stream'
import type { Answer, RawHeaders } from '../../adapters/upstream/port.ts'
import type { Call } from '../call.ts'
import type { HeaderNames } from '../config/types.ts'
import type { Ending } from '../ending.ts'
import type { Reply } from '../knock.ts'
import type { Notes } from '../notes.ts'
import type { Ports } from '../ports.ts'
import { refusal } from '../refusal.ts'
import { AnswerBody, type Step } from '../wire/answer-body.ts'
import { dropBody, streamOf } from '../wire/answer-stream.ts'
import { createCut, cutFields, type Cutting } from '../wire/cut.ts'
import { readableBody } from '../wire/encodings.ts'
import { firstPart } from '../wire/first-part.ts'
import { forwardAnswerHeaders, getHeader } from '../wire/headers.ts'
import { keptBodies, recorderFor } from '../wire/record-body.ts'
import { createAnswerRecorders, type AnswerRecorders } from '../wire/recorders.ts'
import type { Redactor } from '../wire/redactor.ts'
import type { TextKeys } from '../wire/text-keys.ts'
import { watchSocket } from '../wire/watched-socket.ts'

/** An answer of up to so many bytes is cut down whole, so that its head can say by how much. */
const WHOLE_BYTES = 65_536
const EMPTY = Buffer.alloc(0)

export interface Answered {
  readonly answer: Answer
  readonly call: Call
  /** Keys for the client's side of a WebSocket. */
  readonly texts: TextKeys | undefined
  readonly ending: Ending
}

/** An answer on its way to the reply; what all the ways of delivering it share. */
class Delivery {
  readonly status: number
  readonly statusText: string
  headers: RawHeaders
  readonly trailers: () => RawHeaders
  readonly redactor: Redactor | undefined
  readonly recorders: AnswerRecorders
  readonly ending: Ending
  readonly notes: Notes

  constructor(parts: Omit<Delivery, 'reply' | 'label'>) {
    this.status = parts.status
    this.statusText = parts.statusText
    this.headers = parts.headers
    this.trailers = parts.trailers
    this.redactor = parts.redactor
    this.recorders = parts.recorders
    this.ending = parts.ending
    this.notes = parts.notes
  }

  reply(body: Reply['body']): Reply {
    const { status, statusText, headers, trailers } = this
    return { status, statusText, headers, trailers, body }
  }

  label(...fields: readonly string[]): void {
    this.headers = [...this.headers, ...fields]
  }
}

/**
 * Turns the upstream's answer into the reply: keys masked, cut down to what was asked for, recorded. The reply's
 * last piece is released only once the outcome is durable.
 */
export async function projectAnswer(
  answered: Answered,
  notes: Notes,
  ports: Ports,
): Promise<Reply> {
  try {
    return await deliver(answered, notes, ports)
  } catch (error) {
    dropBody(answered.answer.body)
    throw error
  }
}

async function deliver(
  { answer, call, texts, ending }: Answered,
  notes: Notes,
  ports: Ports,
): Promise<Reply> {
  const { config, keyring } = notes.snapshot
  const { headers: names, limits } = config
  const redactor = keyring.redactorFor(call.upstream)
  const ours = Object.values(names)
  const fields = fieldsOf(answer.headers, redactor, ours)
  const empty = hasNoBody(notes.knock.method, answer.status) || contentLength(fields) === 0
  const bodied = answer.socket === undefined && !empty
  const cut = bodied ? createCut(call, answer.status, { fields, limits }) : undefined
  const keeping = { bodies: ports.bodies, redactor: keyring.redactor }
  // What reaches the recorders has been through `redactor`.
  const masked = redactor === keyring.redactor ? { ...keeping, redactor: undefined } : keeping
  const delivery = new Delivery({
    status: answer.status,
    statusText: redactor?.redactText(answer.statusText) ?? answer.statusText,
    headers: [...fields, names.receipt, notes.id, names.head, ports.ledger.head().hash],
    trailers: () => fieldsOf(answer.trailers(), redactor, ours),
    redactor,
    recorders: createAnswerRecorders({ keep: call.keep, cut, fields, redactor }, masked),
    ending,
    notes,
  })
  if (answer.socket !== undefined) {
    const sent = recorderFor(keptBodies(call.keep), keeping, undefined)
    const watch = { redactor, texts, recorders: delivery.recorders, notes, ending }
    return { ...delivery.reply(null), socket: watchSocket(answer.socket, sent, watch) }
  }
  if (!bodied || (cut === undefined && isVoid(answer))) return bodyless(answer, delivery)
  if (redactor === undefined && cut === undefined) return passed(answer.body, delivery)
  checkWhole(delivery)
  const readable = readableBody(answer.body, delivery.headers)
  delivery.headers = readable.headers
  if (cut?.kind === 'cut') {
    delivery.headers = cutFields(readable.headers, cut)
    return projected(readable.body, cut, { delivery, names })
  }
  if (cut !== undefined) delivery.label(names.projected, cut.kind)
  return passed(readable.body, delivery)
}

/** An answer that is not cut down: at once where all of it is there and its length was promised, else as it comes. */
function passed(body: Answer['body'], delivery: Delivery): Reply | Promise<Reply> {
  if (!Buffer.isBuffer(body)) return streamed(body, delivery)
  const atHand = contentLength(delivery.headers) === body.length
  return atHand ? passedWhole(body, delivery) : streamed(streamOf(body), delivery)
}

async function passedWhole(body: Buffer, delivery: Delivery): Promise<Reply> {
  const { redactor, recorders, notes, ending } = delivery
  const redact = redactor?.stream()
  const bytes = redact === undefined ? body : Buffer.concat([redact.push(body), redact.flush()])
  recorders.delivered.write(bytes)
  await recorders.note(notes, false)
  await ending.complete()
  return delivery.reply(bytes)
}

/** Fields of the upstream, of its head or its trailers, as the client may see them. */
function fieldsOf(
  fields: RawHeaders,
  redactor: Redactor | undefined,
  ours: readonly string[],
): RawHeaders {
  const passed = forwardAnswerHeaders(fields, ours)
  return redactor === undefined ? passed : redactor.redactHeaders(passed)
}

/**
 * No part was asked for: what is in it cannot be told from what is cut off at its ends. Nor was a coding of gRPC's
 * messages.
 */
function checkWhole({ headers, status }: Delivery): void {
  const coding = getHeader(headers, 'grpc-encoding') ?? 'identity'
  if (coding !== 'identity')
    throw refusal('encoding_not_inspectable', 'upstream', {
      got: `gRPC messages in \`${coding}\`, which was not asked for`,
      repair: 'let the upstream send messages as grpc-accept-encoding has it',
    })
  if (status !== 206 && getHeader(headers, 'content-range') === undefined) return
  throw refusal('encoding_not_inspectable', 'upstream', {
    got: 'a part of an answer, which was not asked for',
    repair: 'let the upstream answer requests without a Range whole',
  })
}

/** RFC 9110, 6.4.1: these answers have no content, whatever their head says of its length. */
function hasNoBody(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 304
}

/** It came whole, and has no byte: the head says all of it, as gRPC's errors do. */
function isVoid({ body }: Answer): boolean {
  return Buffer.isBuffer(body) && body.length === 0
}

/** Such a head is the whole answer, so the outcome comes before it. */
async function bodyless({ body }: Answer, delivery: Delivery): Promise<Reply> {
  if (!Buffer.isBuffer(body)) body.resume()
  await delivery.recorders.note(delivery.notes, false)
  await delivery.ending.complete()
  return delivery.reply(contentLength(delivery.headers) === 0 ? EMPTY : null)
}

/** The body goes on as it comes. */
function streamed(source: Readable, delivery: Delivery, cut?: Cutting): Reply {
  const { redactor, recorders, ending, notes } = delivery
  const body = new AnswerBody({
    ...(redactor === undefined ? {} : { redact: redactStep(redactor) }),
    ...(recorders.upstream === undefined ? {} : { upstream: recorders.upstream }),
    ...(cut === undefined ? {} : { project: cut.step }),
    delivered: recorders.delivered,
    length: cut === undefined ? contentLength(delivery.headers) : undefined,
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
  return delivery.reply(body)
}

function redactStep(redactor: Redactor): Step {
  const stream = redactor.stream()
  return { push: (chunk) => [stream.push(chunk)], end: () => [stream.flush()] }
}

function contentLength(headers: RawHeaders): number | undefined {
  const text = getHeader(headers, 'content-length')
  return text === undefined ? undefined : Number(text)
}

interface Projecting {
  readonly delivery: Delivery
  readonly names: HeaderNames
}

/**
 * Cuts the answer down: whole where it is short or where its end must be known (order, page, aggregate), else
 * row by row. Whatever is wrong with it before the first byte went out becomes a refusal with its own status.
 */
async function projected(
  body: Answer['body'],
  cut: Cutting,
  { delivery, names }: Projecting,
): Promise<Reply> {
  const { recorders, notes, ending } = delivery
  try {
    if (Buffer.isBuffer(body) && !cut.live && body.length <= WHOLE_BYTES)
      return await whole([body], cut, { delivery, names })
    const source = streamOf(body)
    const short = cut.live ? undefined : await firstPart(source, WHOLE_BYTES)
    if (short?.whole === true) return await whole([short.bytes], cut, { delivery, names })
    if (cut.collects) return await whole(source, cut, { delivery, names })
    delivery.label(names.projected, 'streamed')
    const reply = streamed(source, delivery, cut)
    if (!cut.live) await firstOutput(reply.body as Readable)
    return reply
  } catch (error) {
    await recorders.note(notes, true)
    throw await ending.broken(error)
  }
}

async function whole(
  source: AsyncIterable<Buffer> | readonly Buffer[],
  cut: Cutting,
  { delivery, names }: Projecting,
): Promise<Reply> {
  const { redactor, recorders, ending, notes } = delivery
  const out: Uint8Array[] = []
  const redact = redactor?.stream()
  const deliver = (pieces: readonly Uint8Array[]) => {
    for (const piece of pieces) {
      recorders.delivered.write(piece)
      out.push(piece)
    }
  }
  const take = (chunk: Buffer): boolean => {
    const room = recorders.upstream?.write(chunk) !== false
    deliver(cut.step.push(chunk))
    return room
  }
  const takeRaw = (chunk: Buffer) => take(redact === undefined ? chunk : redact.push(chunk))
  if (Array.isArray(source)) source.forEach(takeRaw)
  else for await (const chunk of source) if (!takeRaw(chunk)) await recorders.upstream?.drained()
  if (redact !== undefined) take(redact.flush())
  deliver(cut.step.end())
  await recorders.note(notes, false)
  await ending.complete()
  const [before, after] = cut.figures()
  delivery.label(names.projected, `${before}->${after}`, ...cut.cursorFields(names.cursor))
  return delivery.reply(out.length === 1 ? asBuffer(out[0] as Uint8Array) : Buffer.concat(out))
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Waits until the first bytes are there, or the end; rejects where the body broke before. */
function firstOutput(body: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    body.once('readable', resolve)
    body.once('error', reject)
  })
}
