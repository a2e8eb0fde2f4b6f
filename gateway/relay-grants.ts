import type { Grants } from '../adapters/grants/port.ts'
import type { Ledger } from '../adapters/ledger/port.ts'
import type { Log } from './ports.ts'

const EVERY_MS = 500

/**
 * Puts what other processes did with grants (`grant mint`, `grant revoke`) into the ledger, which one process alone
 * writes. Returns the way to stop, which relays what is still there first.
 */
export function relayGrantEvents(
  grants: Pick<Grants, 'takeOutbox'>,
  ledger: Pick<Ledger, 'event'>,
  log: Log,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const relay = async () => {
    const { events, settle } = grants.takeOutbox()
    for (const event of events) await ledger.event({ ...event })
    if (events.length > 0) settle()
  }
  const next = () => {
    running = running
      .then(relay)
      .catch((error: unknown) => log.error({ error }, 'grant events could not be recorded'))
    return running
  }
  const timer = setInterval(() => void next(), EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return next()
  }
}
