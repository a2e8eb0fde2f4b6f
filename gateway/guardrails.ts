import type { Origin } from '../adapters/upstream/port.ts'
import { canonicalPath, plainPath, type Tool } from '../catalog/index.ts'
import type { Ask, GuardedCall } from '../policy/index.ts'

/** Of a call, what guardrails can look at. */
interface GuardedParts {
  readonly grant: GuardedCall['grant']
  readonly ask: Ask
  readonly tool: Tool
  readonly method: string
  readonly origin: Origin
  /** Path and query, as they are sent; of a tunnel there is none. */
  readonly path: string
}

/** One call as guardrails look at it. */
export function guardedCall({ grant, ask, tool, method, origin, path }: GuardedParts): GuardedCall {
  const { scheme, host, port } = origin
  const read = canonicalPath(path)
  return {
    grant,
    ask,
    method,
    scheme,
    host,
    port,
    path: read.ok ? plainPath(read) : '',
    generic: tool.generic === true,
  }
}
