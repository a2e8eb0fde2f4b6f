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
  let busy = false
  let failing = false
  const relay = async () => {
    const { events, settle } = await grants.takeOutbox()
    for (const event of events) await ledger.event({ ...event })
    if (events.length > 0) await settle()
    failing = false
  }
  const failed = (error: unknown) => {
    // Said once: a store that is gone for an hour is one fault.
    if (!failing) log.error({ error }, 'grant events could not be recorded')
    failing = true
  }
  const next = () => {
    busy = true
    running = running
      .then(relay)
      .catch(failed)
      .finally(() => (busy = false))
    return running
  }
  // A store that hangs makes none of these wait behind one another.
  const timer = setInterval(() => {
    if (!busy) void next()
  }, EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return next()
  }
}
