import type { PathSplice, RawHeaders } from '../adapters/upstream/port.ts'
import type { Envelope, Keep, Projection, Tool } from '../catalog/index.ts'
import type { Ask } from '../policy/index.ts'
import type { ResolvedUpstream } from './config/types.ts'
import type { ArmedBody } from './wire/armed-body.ts'
import type { TextKeys } from './wire/text-keys.ts'

/**
 * A knock that is understood: which row it is for, its arguments after aliases, defaults and coercion, and what
 * of the answer is wanted. It is frozen: what is judged here is what is sent.
 */
export interface Call {
  readonly tool: Tool
  readonly envelope: Envelope
  readonly upstream: ResolvedUpstream
  readonly ask: Ask
  /** Undefined where the whole answer is wanted. */
  readonly projection: Projection | undefined
  /** The head as it goes upstream, but for the key: arguments were read from it. */
  readonly headers: RawHeaders
  /** What of the bodies is kept: the upstream's choice, else the row's, else `upstream`. */
  readonly keep: Keep
  /** The request's body where it had to be read before the decision; otherwise it is streamed. */
  readonly body: Buffer | undefined
}

/** The request as it goes upstream, the upstream's keys put in. It must reach nothing but the upstream. */
export interface Armed {
  readonly headers: RawHeaders
  /** Keys in path and query. */
  readonly splices?: readonly PathSplice[]
  /** The body where it was read for its keys or its signature; otherwise it goes as the call has it. */
  readonly body?: ArmedBody
  /** Looks through a body that is streamed. Throws a Refusal for a placeholder that has no key here. */
  readonly lookout?: (chunk: Buffer) => void
  /** What text messages of a WebSocket are looked through for. */
  readonly texts?: TextKeys
  /** After a 401: the same with a new access token; undefined where the call can not be sent again. */
  readonly renew?: () => Promise<Armed | undefined>
}
