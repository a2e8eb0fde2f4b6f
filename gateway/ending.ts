import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ErrorCode } from './errors.ts'
import { understand } from './failure.ts'
import type { Notes } from './notes.ts'
import type { Outcome } from './outcome.ts'
import type { CutReason, Watch } from './open.ts'
import { SIGN_IN_AGAIN } from './persons/session.ts'
import type { Ports } from './ports.ts'
import type { Refusal } from './refusal.ts'
import { refusal, refusalOfReasons } from './refusal.ts'
import { closeReceipt } from './stages/receipt.ts'

/** How an exchange that reached its answer comes to its end. */
export interface Ending {
  /** Whether the gateway itself ended the exchange before its time. */
  readonly cut: boolean
  /** Says a last word to the client before the gateway cuts, with the code of what ended the exchange. */
  onFarewell(say: (code: ErrorCode) => Promise<void>): void
  /** The answer came to its end: resolves when the outcome is durable, and only then may its last piece go out. */
  complete(): Promise<void>
  /**
   * The answer broke off. Returns what is to be said of it where its head has not gone out yet. `gone` says whether
   * the client had left by then, where the caller had to wait since: the door closes a connection on half an answer.
   */
  broken(error: unknown, gone?: boolean): Promise<Refusal>
}

export function createEnding(notes: Notes, watch: Watch, ports: Ports): Ending {
  return {
    get cut() {
      return watch.cut !== undefined
    },
    onFarewell: (say) =>
      watch.onFarewell((reason) => say(refusalOfCut({ cut: reason, against: watch.against }).code)),
    async complete() {
      watch.done()
      await closeReceipt(notes, { outcome: 'allowed', ran: true }, ports)
    },
    async broken(error, left = notes.knock.signal.aborted) {
      watch.done()
      // The client's going shows on the stream a moment before it shows on the signal.
      if (isHangUp(error)) await nextTurn()
      const hungUp = left || (isHangUp(error) && notes.knock.signal.aborted)
      const gone = watch.cut === undefined && hungUp
      const outcome: Outcome = gone ? 'gone' : 'failed'
      const refused = gone ? GONE : causeOf(error, notes, watch, ports)
      const why = gone ? {} : { code: refused.code, reasons: refused.reasons }
      // What is said of the answer is told all the same.
      await closeReceipt(notes, { outcome, ran: true, ...why }, ports).catch(() => undefined)
      return refused
    },
  }
}

/** Said to nobody: the client has gone. */
const GONE = refusal('upstream_failed', 'client', { got: 'the client has gone', repair: 'none' })

function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** What is said of an exchange that the gateway itself cut. */
export function refusalOfCut({
  cut,
  against,
}: Pick<Watch, 'against'> & { readonly cut: CutReason }): Refusal {
  return cut === 'leashed' ? refusalOfReasons(against) : refusal(...CUTS[cut])
}

function causeOf(error: unknown, notes: Notes, watch: Watch, ports: Ports): Refusal {
  return watch.cut === undefined
    ? understand(error, notes.id, ports.log).refused
    : refusalOfCut({ cut: watch.cut, against: watch.against })
}

const CUTS: Readonly<Record<Exclude<CutReason, 'leashed'>, Parameters<typeof refusal>>> = {
  expired: [
    'expired',
    'expires',
    {
      got: 'the token expired while the call was under way',
      repair: 'ask for a token that lasts longer',
    },
  ],
  'signed-out': [
    'session_invalid',
    'person',
    {
      got: 'the session expired while the call was under way',
      repair: SIGN_IN_AGAIN,
    },
  ],
  revoked: [
    'revoked',
    'grant',
    {
      got: 'the grant was revoked while the call was under way',
      repair: 'ask the owner for a new grant',
    },
  ],
  late: [
    'upstream_timeout',
    'upstream',
    {
      got: 'no end of the call within limits.upstream_total_ms',
      repair: 'ask for less at a time, or raise limits.upstream_total_ms',
    },
  ],
  stopped: [
    'not_ready',
    'gateway',
    { got: 'the gateway stopped', repair: 'try again once /readyz answers 200' },
  ],
}
