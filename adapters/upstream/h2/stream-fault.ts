import { constants } from 'node:http2'
import { codeOf, Fault } from '../fault.ts'

/** Error codes by number (RFC 9113, 7). */
const NAMES: readonly string[] = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
]

/** Codes by which a side says that the other one broke HTTP/2 (RFC 9113, 7). */
const BROKEN: ReadonlySet<number> = new Set([
  constants.NGHTTP2_PROTOCOL_ERROR,
  constants.NGHTTP2_FLOW_CONTROL_ERROR,
  constants.NGHTTP2_FRAME_SIZE_ERROR,
  constants.NGHTTP2_COMPRESSION_ERROR,
])

/** What is left of a stream whose connection is gone: nobody said anything of this one. */
const GONE: ReadonlySet<number> = new Set([constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_CANCEL])

interface StreamEnd {
  /** The code of the reset, 0 where there was none. */
  readonly code: number
  /** Whether the upstream is known not to have looked at the request. */
  readonly refused: boolean
  readonly peer: string
}

/** Why a stream ended before its answer did. */
export function streamFault(error: unknown, { code, refused, peer }: StreamEnd): Fault {
  if (error instanceof Fault) return error
  const cause = { cause: error }
  if (refused) {
    const text = `${peer} did not take the request, \`${nameOf(code)}\`; send again`
    return new Fault('upstream_failed', text, { ...cause, sent: 'no', transient: true })
  }
  if (asksForHttp1(code)) {
    const text = `${peer} takes this request over HTTP/1.1 alone, \`${nameOf(code)}\`; send it so`
    return new Fault('upstream_failed', text, { ...cause, sent: 'no', transient: true })
  }
  if (BROKEN.has(code) || codeOf(error) === 'ERR_HTTP2_ERROR') {
    const text = `${peer} answered with broken HTTP/2, \`${nameOf(code)}\`; check what listens there`
    return new Fault('upstream_invalid', text, { ...cause, sent: 'unknown' })
  }
  const text = `${peer} ended the stream before its answer, \`${nameOf(code)}\`; check that it is up and reachable`
  return new Fault('upstream_failed', text, {
    ...cause,
    sent: 'unknown',
    transient: GONE.has(code) || asksForCalm(code),
  })
}

/** Whether the upstream asked for HTTP/1.1 in place of this stream. */
export function asksForHttp1(code: number | undefined): boolean {
  return code === constants.NGHTTP2_HTTP_1_1_REQUIRED
}

/**
 * Whether the upstream has had too much of this connection. Node's servers say so of each further stream once those that
 * were cancelled have used up the connection's memory by their account; on another connection they go on.
 */
export function asksForCalm(code: number | undefined): boolean {
  return code === constants.NGHTTP2_ENHANCE_YOUR_CALM
}

function nameOf(code: number): string {
  return NAMES[code] ?? `code ${code}`
}
