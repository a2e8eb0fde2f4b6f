import type { LedgerErasures, LedgerIndex, Receipt } from '../adapters/ledger/port.ts'

const PARTS = ['request', 'response', 'delivered'] as const

/**
 * An index whose single receipts say in `erased` which of their kept bodies were erased since, when, by whom and why. The
 * records in the log are as they were: they have the hashes, and verify.
 */
export function withErasures(index: LedgerIndex, erasures: LedgerErasures): LedgerIndex {
  return {
    list: (query) => index.list(query),
    async get(id) {
      const receipt = await index.get(id)
      return receipt && addErasures(receipt, erasures)
    },
    counts: (where) => index.counts(where),
    events: (query) => index.events(query),
    view: (query) => index.view(query),
    last: () => index.last(),
    sync: () => index.sync(),
    lag: () => index.lag(),
    close: () => index.close(),
  }
}

async function addErasures(receipt: Receipt, erasures: LedgerErasures): Promise<Receipt> {
  const hashes = new Set(PARTS.flatMap((part) => keptHash(receipt[part])))
  if (hashes.size === 0) return receipt
  const all = await erasures.of([...hashes])
  // The same bytes may have been kept, erased, and kept again for this very exchange.
  const since = all.filter(({ at }) => at === null || at >= String(receipt['opened']))
  return since.length === 0 ? receipt : { ...receipt, erased: since }
}

/** The hash of a part whose bytes were kept. */
function keptHash(part: unknown): readonly string[] {
  const { body } = (part ?? {}) as Readonly<Record<string, unknown>>
  return typeof body === 'string' ? [body] : []
}
