import { setTimeout as sleep } from 'node:timers/promises'
import type { LedgerIndex } from '../../adapters/ledger/port.ts'
import { refusal, type Refusal } from '../refusal.ts'

const BEHIND_MS = 5000
const POLL_MS = 50
const SYNC_MS = 2000

/**
 * Waits until the index has what was durable at the call, and the receipt with the number `minSeq`, if one is named.
 * @throws Refusal where the latter takes too long
 */
export async function settle(
  index: Pick<LedgerIndex, 'sync' | 'last'>,
  minSeq: number | undefined,
): Promise<void> {
  await index.sync()
  if (minSeq === undefined) return
  const end = performance.now() + BEHIND_MS
  for (;;) {
    const last = await index.last()
    if (last >= minSeq) return
    if (performance.now() > end) {
      throw refusal('index_behind', 'min_seq', {
        got: `an index that ends at ${last}`,
        repair: 'ask again, or leave min_seq out: `lag` in the answer says what is missing',
        retryAfter: 2,
      })
    }
    await sleep(POLL_MS)
    await index.sync()
  }
}

/**
 * An index in a database, as doors use it: a database that is away refuses, and a backlog is waited for no longer than
 * two seconds, since there may be much of it; an answer says how much is missing.
 */
export function patientIndex(index: LedgerIndex): LedgerIndex {
  const refusing = async <T>(asking: Promise<T>): Promise<T> => {
    try {
      return await asking
    } catch (error) {
      if (error instanceof RangeError) throw error
      throw unavailable(error)
    }
  }
  return {
    view: (query) => refusing(index.view(query)),
    last: () => refusing(index.last()),
    list: (query) => refusing(index.list(query)),
    get: (id) => refusing(index.get(id)),
    counts: (where) => refusing(index.counts(where)),
    events: (query) => refusing(index.events(query)),
    sync: () => refusing(Promise.race([index.sync(), sleep(SYNC_MS, undefined, { ref: false })])),
    lag: () => index.lag(),
    close: () => index.close(),
  }
}

function unavailable(error: unknown): Refusal {
  const got = error instanceof Error ? error.message : String(error)
  const repair = 'bring the database of ledger.index back; calls go on and are recorded meanwhile'
  return refusal('index_unavailable', 'ledger.index', { got, repair, retryAfter: 2 })
}
