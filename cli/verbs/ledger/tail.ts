import { setTimeout as sleep } from 'node:timers/promises'
import type { LedgerIndex, Receipt, ReceiptQuery } from '../../../adapters/ledger/port.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { FILTERS, receiptQuery } from '../../receipt-query.ts'
import { receiptLine } from '../../receipts.ts'
import { defineVerb } from '../../verb.ts'

const POLL_MS = 250
const PAGE = 1000
const FIRST = 10

/** Receipts in the order of the ledger, the last ten first; then each new one, until interrupted. */
async function* followed(
  index: LedgerIndex,
  query: ReceiptQuery,
  stopped: AbortSignal,
): AsyncGenerator<Receipt> {
  const latest = await index.list({ ...query, order: 'desc', limit: FIRST })
  let after = latest[0]?.seq ?? 0
  yield* latest.toReversed()
  while (!stopped.aborted) {
    await index.sync()
    const fresh = await index.list({ ...query, order: 'asc', limit: PAGE, after })
    yield* fresh
    after = fresh.at(-1)?.seq ?? after
    if (fresh.length < PAGE) {
      await sleep(POLL_MS, undefined, { signal: stopped }).catch(() => undefined)
    }
  }
}

function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort())
  }
  return controller.signal
}

/** Follows the receipts. Interrupting it is its ordinary end: exit 0. */
export const tail = defineVerb({
  options: { ...PLACE, ...FILTERS, ...JSON_OUTPUT },
  examples: [
    ['--outcome refused', 'refusals as they happen'],
    ['--json | jq .tool', 'one JSON object per line'],
  ],
  async run(values, terminal) {
    const query = receiptQuery(values, Date.now())
    const place = await openExistingPlace(values, terminal)
    await place.withIndex(async (index) => {
      for await (const receipt of followed(index, query, interruption())) {
        terminal.out.line(values.json ? JSON.stringify(receipt) : receiptLine(receipt))
      }
    })
    return EXIT.ok
  },
})
