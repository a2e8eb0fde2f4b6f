import { Refused, type Problem } from './refused.ts'
import type { HeaderNames } from './types.ts'

/** What is sent to a door besides the token. */
export interface Sent {
  /** Posted as JSON; without it the door is read. */
  readonly body?: unknown
  readonly accept?: string
  readonly signal?: AbortSignal | undefined
}

/** One gateway and one token. */
export interface Wire {
  readonly names: HeaderNames
  /**
   * Asks at a path of the gateway.
   * @throws Refused
   */
  ask(path: string, sent?: Sent): Promise<Response>
}

/** Where a gateway is, and how it is reached. */
export interface Place {
  readonly base: string
  readonly names: HeaderNames
  readonly fetch: typeof fetch
}

export function openWire({ base, names, fetch }: Place, token: string): Wire {
  return {
    names,
    async ask(path, { body, accept = '*/*', signal } = {}) {
      const posted = body !== undefined
      const response = await fetch(base + path, {
        method: posted ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${token}`,
          accept,
          ...(posted && { 'content-type': 'application/json' }),
        },
        ...(posted && { body: JSON.stringify(body) }),
        // An upstream's redirect would be followed with the token in hand.
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        ...(signal && { signal }),
      })
      if (response.type === 'opaqueredirect')
        throw new Error('the answer is a redirect, which browsers show to no script')
      const code = response.headers.get(names.refused)
      if (code !== null) throw await refusedOf(code, response)
      return response
    },
  }
}

async function refusedOf(code: string, response: Response): Promise<Refused> {
  const problem = (await response.json().catch(() => ({}))) as Problem
  return new Refused(code, response.status, problem)
}

/** The value of an answer of the gateway's own. */
export async function ownAnswer<Value>(response: Response): Promise<Value> {
  if (response.ok) return (await response.json()) as Value
  throw strange(response)
}

/** What answers without a word of the gateway is something else at its address. */
export function strange({ status }: Response): Error {
  return new Error(`status ${status}, which no gateway said: see the client's \`url\``)
}
