import type { UpstreamFault } from '../adapters/upstream/port.ts'
import { ClientGone } from './client-gone.ts'
import { ERRORS } from './errors.ts'
import type { Log } from './ports.ts'
import { Refusal, refusal } from './refusal.ts'
import { EncodingFault } from './wire/encodings.ts'

/** An error on the way of a call, as a refusal that can be sent, and what is known of the request's bytes. */
export interface Failure {
  readonly refused: Refusal
  readonly sent: 'no' | 'unknown'
}

/** Turns whatever was thrown into what may be said of it. What is not foreseen is logged, and not told. */
export function understand(error: unknown, receipt: string, log: Log): Failure {
  if (error instanceof Refusal) return { refused: error, sent: 'no' }
  if (isUpstreamFault(error)) {
    const repair = UPSTREAM_REPAIRS[error.code]
    const reason = { axis: 'upstream', got: error.got ?? error.message, repair }
    return { refused: new Refusal(error.code, [reason]), sent: error.sent }
  }
  if (error instanceof ClientGone) {
    // Told to nobody, and no fault of anybody's: clients go.
    const reason = { got: 'the client went in the midst of its body', repair: 'send it again' }
    return { refused: refusal('malformed_request', 'client', reason), sent: 'no' }
  }
  if (error instanceof EncodingFault) {
    const repair = UPSTREAM_REPAIRS.upstream_invalid
    return {
      refused: refusal(error.code, 'upstream', { got: error.message, repair }),
      sent: 'unknown',
    }
  }
  log.error({ receipt, error }, 'an exchange met a fault of the gateway itself')
  const refused = refusal('internal_error', 'gateway', {
    got: `a fault of the gateway, see its log for ${receipt}`,
    repair: 'report it with the receipt’s id',
  })
  return { refused, sent: 'unknown' }
}

const UPSTREAM_REPAIRS: Readonly<Record<UpstreamFault['code'], string>> = {
  upstream_failed: 'check that the host is up and its certificate valid, then try again',
  upstream_invalid: 'the upstream breaks HTTP or its own media type; tell its operator',
  upstream_timeout: 'try again later, or raise the upstream limits in the configuration',
  address_refused:
    'list the range under allow_private of this upstream, if it is meant to be reached',
}

function isUpstreamFault(error: unknown): error is UpstreamFault {
  return (
    error instanceof Error && 'sent' in error && 'code' in error && String(error.code) in ERRORS
  )
}
