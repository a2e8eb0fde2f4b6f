import { understand } from './failure.ts'
import type { Notes } from './notes.ts'
import type { Outcome } from './outcome.ts'
import type { CutReason, Watch } from './open.ts'
import type { Ports } from './ports.ts'
import type { Refusal } from './refusal.ts'
import { refusal } from './refusal.ts'
import { closeReceipt } from './stages/receipt.ts'

/** How an exchange that reached its answer comes to its end. */
export interface Ending {
  /** The answer came to its end: resolves when the outcome is durable, and only then may its last piece go out. */
  complete(): Promise<void>
  /** The answer broke off. Returns what is to be said of it where its head has not gone out yet. */
  broken(error: unknown): Promise<Refusal>
}

export function createEnding(notes: Notes, watch: Watch, ports: Ports): Ending {
  return {
    async complete() {
      watch.done()
      await closeReceipt(notes, { outcome: 'allowed', ran: true }, ports)
    },
    async broken(error) {
      watch.done()
      const refused = causeOf(error, notes, watch, ports)
      const gone = watch.cut === undefined && notes.knock.signal.aborted
      const outcome: Outcome = gone ? 'gone' : 'failed'
      const why = gone ? {} : { code: refused.code, reasons: refused.reasons }
      await closeReceipt(notes, { outcome, ran: true, ...why }, ports).catch((fault: unknown) => {
        ports.metrics.lost('receipt')
        ports.log.error({ receipt: notes.id, error: fault }, 'a receipt could not be recorded')
      })
      return refused
    },
  }
}

function causeOf(error: unknown, notes: Notes, watch: Watch, ports: Ports): Refusal {
  return watch.cut === undefined
    ? understand(error, notes.id, ports.log).refused
    : refusal(...CUTS[watch.cut])
}

const CUTS: Readonly<Record<CutReason, Parameters<typeof refusal>>> = {
  expired: [
    'expired',
    'expires',
    { got: 'the token expired while the answer was under way', repair: 'ask for a token that lasts longer' },
  ],
  revoked: [
    'revoked',
    'grant',
    { got: 'the grant was revoked while the answer was under way', repair: 'ask the owner for a new grant' },
  ],
  stopped: [
    'not_ready',
    'gateway',
    { got: 'the gateway stopped', repair: 'try again once /readyz answers 200' },
  ],
}
