import type { FastifyRequest } from 'fastify'
import { refusal } from '../../refusal.ts'
import { oneOf, readParameters, wholeNumber } from '../../parameters.ts'

/** What part of the feed is asked for, and in which form. */
export interface FeedQuery {
  /** Items behind this position. */
  readonly after: number
  /** At most so many; undefined means all. */
  readonly limit: number | undefined
  /** Whether the answer goes on with what comes later. */
  readonly follow: boolean
  readonly form: 'ndjson' | 'events'
}

const position = wholeNumber(0, Number.MAX_SAFE_INTEGER)

const CHECKS = {
  after: position,
  limit: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  follow: oneOf('true', 'false'),
}

/**
 * Reads a request for the feed. A browser that reconnects to an event stream repeats the address and says in
 * `Last-Event-ID` how far it came, so that goes before `after`.
 * @throws Refusal
 */
export function readFeedQuery({ query, headers }: FastifyRequest): FeedQuery {
  const values = readParameters(query, CHECKS)
  const form = takesEvents(headers.accept) ? 'events' : 'ndjson'
  return {
    after: Number(lastEventId(headers['last-event-id']) ?? values.after ?? 0),
    limit: values.limit === undefined ? undefined : Number(values.limit),
    follow: values.follow === undefined ? form === 'events' : values.follow === 'true',
    form,
  }
}

/** An event stream that is not followed would be asked for again and again by its client. */
function takesEvents(accept = ''): boolean {
  return accept.split(',').some((range) => /^\s*text\/event-stream\s*(;|$)/i.test(range))
}

function lastEventId(sent: string | readonly string[] | undefined): string | undefined {
  if (sent === undefined || sent === '') return undefined
  const text = String(sent)
  const repair = position(text)
  if (repair === undefined) return text
  throw refusal('malformed_request', 'last-event-id', { got: `\`${text.slice(0, 80)}\``, repair })
}
