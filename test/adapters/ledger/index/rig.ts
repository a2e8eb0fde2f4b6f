import type { Test } from 'tap'
import { openLedgerIndex, type FeedingIndex } from '../../../../adapters/ledger/index/open.ts'
import { join } from 'node:path'
import { makeFolder, openLog } from '../rig.ts'
import type { SegmentLog } from '../../../../adapters/ledger/segment/log.ts'

/** A log and its index, both closed with the test. */
export async function openBoth(t: Test): Promise<{
  readonly folder: string
  readonly file: string
  readonly log: SegmentLog
  readonly index: FeedingIndex
}> {
  const folder = makeFolder(t)
  const file = join(folder, 'index.sqlite')
  const { log } = await openLog(folder)
  const index = await openLedgerIndex({ folder, file, log })
  t.teardown(async () => {
    await index.close()
    await log.close()
  })
  return { folder, file, log, index }
}

/** One exchange from intent to outcome. */
export async function addExchange(
  log: SegmentLog,
  intent: Readonly<Record<string, unknown>>,
  outcome: Readonly<Record<string, unknown>> = { outcome: 'allowed' },
): Promise<void> {
  await log.outcome(await log.intent(intent), outcome)
}
