import type { RawHeaders } from '../adapters/upstream/port.ts'
import type { Envelope, Keep, Projection, Tool } from '../catalog/index.ts'
import type { Ask } from '../policy/index.ts'
import type { ResolvedUpstream } from './config/types.ts'

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

/** The request's head as it goes upstream, the upstream's keys put in. It must reach nothing but the upstream. */
export interface Armed {
  readonly headers: RawHeaders
}
