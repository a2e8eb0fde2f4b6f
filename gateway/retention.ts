import type { Clock } from '../adapters/clock/port.ts'
import type { Ledger } from '../adapters/ledger/port.ts'
import type { BodyStore, Erasure } from '../adapters/objects/port.ts'
import type { Log } from './ports.ts'

const DAY_MS = 86_400_000
const LOOK_MS = 3_600_000

/** What retention works on. */
export interface RetentionPorts {
  readonly bodies: Pick<BodyStore, 'eraseOlder'>
  readonly ledger: Pick<Ledger, 'event'>
}

/**
 * Erases the bodies that no exchange had since a time. Each is an event first, with when and by whom: what cannot be
 * recorded is not erased, and rejects. The receipts stay as they are, hashes and all.
 */
export function eraseBodies(
  { bodies, ledger }: RetentionPorts,
  before: number,
  by: 'gateway' | 'owner',
): Promise<Erasure> {
  const limit = new Date(before).toISOString()
  return bodies.eraseOlder(before, ({ sha256, bytes }) =>
    ledger.event({
      event: 'body_erased',
      subject: sha256,
      actor: by,
      data: { bytes, why: 'retention', before: limit },
    }),
  )
}

/** Erases what is older than so many days, now and every hour. Returns the way to stop. */
export function keepRetention(
  maxDays: number | undefined,
  ports: RetentionPorts & { readonly clock: Clock; readonly log: Pick<Log, 'error'> },
): () => Promise<void> {
  if (maxDays === undefined) return async () => undefined
  let running: Promise<unknown> = Promise.resolve()
  const look = (): void => {
    running = running
      .then(() => eraseBodies(ports, ports.clock.now() - maxDays * DAY_MS, 'gateway'))
      .catch((error: unknown) => ports.log.error({ error }, 'old bodies could not be erased'))
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  look()
  return async () => {
    clearInterval(timer)
    await running
  }
}
