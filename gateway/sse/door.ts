import { Readable } from 'node:stream'
import { isSafe, writtenJson } from '../../catalog/index.ts'
import { answerOf, type BatchAnswer } from '../batch/answer.ts'
import { makeCall } from '../batch/make.ts'
import type { DoorAround, HolderDoor } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { problemDocument, Refusal, refusal } from '../refusal.ts'
import { methodNotTaken, readLink, type NamedCall } from '../run/call.ts'
import { getHeader } from '../wire/headers.ts'
import { eventsIn, eventText, withHeartbeat } from './events.ts'

/** A comment after so many milliseconds without an event, and more often where connections may not be idle for so long. */
const BEAT_MS = 15_000

/** Id of a receipt. */
const RECEIPT = /^[0-9a-f-]{36}$/

/**
 * Makes a call for a client of server-sent events: `answer` with what came of it, then `end`. An upstream's own events come before,
 * as `data`. A client of that kind asks again by itself where the connection ends: what it has the answer of is not called again.
 */
export const answerEvents: HolderDoor = async (asked, around) => {
  if (asked.method !== 'GET') throw methodNotTaken(asked.method, 'GET')
  const call = readLink(asked, around)
  if (!isSafe(call.tool)) throw changing(call)
  const last = getHeader(asked.headers, 'last-event-id')
  if (last !== undefined) return hasAnswer(last)
  const every = Math.min(BEAT_MS, around.config.limits.idleMs / 3)
  return {
    status: 200,
    headers: ['content-type', 'text/event-stream', 'cache-control', 'no-store'],
    body: Readable.from(withHeartbeat(written(call, asked, around), every)),
  }
}

function changing({ tool }: NamedCall): Refusal {
  return refusal('method_not_allowed', 'method', {
    got: `${tool.name}, which may change something`,
    repair: 'post it to `/g/run`: a client of events sends its request again by itself',
  })
}

/** The standard has clients stop at this status (HTML, 9.2.3). */
function hasAnswer(last: string): Reply {
  if (RECEIPT.test(last)) return { status: 204, headers: ['cache-control', 'no-store'], body: null }
  throw refusal('malformed_request', 'last-event-id', {
    got: 'no id of a receipt',
    repair: 'send the id of the event `answer`, or leave it out',
  })
}

async function* written(
  { envelope }: NamedCall,
  asked: Knock,
  around: DoorAround,
): AsyncGenerator<Buffer> {
  const { exchange } = around
  const does = { kind: 'tool', envelope } as const
  const reply = await makeCall(does, { asked, batch: undefined, exchange, ports: around })
  const isLive = /^text\/event-stream\b/i.test(getHeader(reply.headers, 'content-type') ?? '')
  const answer = isLive
    ? yield* liveEvents(reply, asked, around)
    : await answerOf('', reply, around.headers)
  const { key: _none, ...said } = answer
  yield eventText('answer', writtenJson(said), answer.receipt)
  yield eventText('end', '{}')
}

/** Passes an upstream's own events on, and gives what came of them. */
async function* liveEvents(
  { status, headers, body }: Reply,
  asked: Knock,
  around: DoorAround,
): AsyncGenerator<Buffer, BatchAnswer> {
  const receipt = getHeader(headers, around.headers.receipt)
  const known = receipt === undefined ? {} : { receipt }
  try {
    const chunks = body instanceof Readable ? body : Readable.from(body === null ? [] : [body])
    for await (const data of eventsIn(chunks)) yield eventText('data', data)
    return { key: '', ok: status < 400, status, ...known }
  } catch (error) {
    const refused = await faultOf(error, asked, around)
    const document = problemDocument(refused, { status: refused.status, ran: true, receipt })
    return { key: '', ok: false, status, error: document, ...known }
  }
}

/** Why a stream ended before its time: where its token does not stand any more, that is why. */
async function faultOf(error: unknown, asked: Knock, around: DoorAround): Promise<Refusal> {
  if (error instanceof Refusal) return error
  try {
    await around.standing(asked)
  } catch (why) {
    if (why instanceof Refusal) return why
  }
  const repair = 'see its receipt, then try again'
  return refusal('upstream_failed', 'answer', { got: 'a stream that broke off', repair })
}
