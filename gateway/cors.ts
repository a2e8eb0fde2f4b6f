import type { RawHeaders } from '../adapters/upstream/port.ts'
import type { HeaderNames } from './config/types.ts'
import type { Reply } from './knock.ts'
import { getHeader } from './wire/headers.ts'

/**
 * What lets a page of any origin use the holder's doors, by the Fetch standard: the token that its script sends is all that
 * counts there, so that no origin is trusted more than another. Credentials of the browser's own, cookies above all, are never
 * allowed; a browser refuses to send them beside `*`.
 */

type Names = Pick<HeaderNames, 'receipt' | 'refused' | 'projected' | 'head' | 'cursor' | 'want'>

const SECONDS = '600'

/** Fields of every answer of these doors: any page may read it, and these fields of it. */
export function sharedFields({ receipt, refused, projected, head, cursor }: Names): RawHeaders {
  const told = [receipt, refused, projected, head, cursor, 'batch', 'retry-after'].join(', ')
  return ['access-control-allow-origin', '*', 'access-control-expose-headers', told]
}

/** Whether a browser asks if it may send the request that it is about to send. It never has a token with it. */
export function isPreflight(method: string, headers: RawHeaders): boolean {
  return method === 'OPTIONS' && ['origin', ASKED_METHOD].every((name) => getHeader(headers, name))
}

const ASKED_METHOD = 'access-control-request-method'

/** Fields of the answer to such a question, which is the same for all. */
export function preflightFields(names: Names): RawHeaders {
  return [
    ...sharedFields(names),
    'access-control-allow-methods',
    'GET, POST',
    'access-control-allow-headers',
    ['authorization', 'content-type', names.want].join(', '),
    'access-control-max-age',
    SECONDS,
  ]
}

/** The answer with these fields in place of the upstream's own, which were for its own pages. */
export function sharedReply(reply: Reply, names: Names): Reply {
  if (reply.socket !== undefined) return reply
  const own = reply.headers.filter(
    (_, at) => !/^access-control-/i.test(reply.headers[at - (at % 2)] as string),
  )
  return { ...reply, headers: [...own, ...sharedFields(names)] }
}
