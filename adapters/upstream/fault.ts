import type { UpstreamFault } from './port.ts'

interface FaultDetails {
  readonly sent: UpstreamFault['sent']
  readonly got?: string
  readonly cause?: unknown
  /** True where a second try on a fresh connection may help: the peer or the path hung up, it did not answer. */
  readonly transient?: boolean
}

/** The one error class of this driver; `message` never holds a header value or a credential. */
export class Fault extends Error implements UpstreamFault {
  readonly code: UpstreamFault['code']
  readonly sent: UpstreamFault['sent']
  readonly got?: string
  readonly transient: boolean

  constructor(code: UpstreamFault['code'], message: string, details: FaultDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'UpstreamFault'
    this.code = code
    this.sent = details.sent
    this.transient = details.transient ?? false
    if (details.got !== undefined) this.got = details.got
  }
}

/** Codes by which sockets and resolvers report a peer or path that went away, as opposed to one that is wrong. */
const TRANSIENT = new Set(['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'EAI_AGAIN'])

/** The code of a system error, or '' where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

/** Makes a Fault of whatever the sockets threw; a Fault stays what it is. */
export function toFault(error: unknown, sent: UpstreamFault['sent'], peer: string): Fault {
  if (error instanceof Fault) return error
  const code = codeOf(error)
  if (code.startsWith('HPE_')) {
    const text = `${peer} answered with broken HTTP, \`${code}\`; check what listens there`
    return new Fault('upstream_invalid', text, { sent, cause: error })
  }
  const why = code || (error instanceof Error ? error.message : 'unknown')
  const text = `no answer from ${peer}: \`${why}\`; check that it is up and reachable`
  return new Fault('upstream_failed', text, { sent, cause: error, transient: TRANSIENT.has(code) })
}
