import assert from 'node:assert/strict'
import { systemClock } from '../../adapters/clock/system.ts'
import { openSegmentLog } from '../../adapters/ledger/segment/log.ts'
import { exchangeAt } from './receipts.ts'

const AT_ONCE = 500

/** Fills the folder of a log with so many closed exchanges. */
export async function writeBacklog(folder: string, count: number): Promise<void> {
  const log = await openSegmentLog({ folder, mode: 'batch', clock: systemClock })
  const write = async (n: number): Promise<void> => {
    const { intent, outcome } = exchangeAt(n)
    await log.outcome(await log.intent(intent), outcome)
  }
  for (let from = 0; from < count; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - from)
    await Promise.all(Array.from({ length }, (_, at) => write(from + at)))
  }
  await log.close()
  const { records, lost } = log.stats()
  assert.deepEqual({ records, lost }, { records: 2 * count, lost: 0 }, 'the backlog')
}
