import type { LedgerIndex, Receipt } from '../adapters/ledger/port.ts'
import type { Offline } from '../gateway/offline.ts'
import { shellQuote } from '../sidecar/formats.ts'
import type { RunGrant } from '../sidecar/prepare.ts'
import { codesOf } from './receipts.ts'

const PAGE = 1000
const SEPARATOR = ' · '

/** The codes of the latest refusals, each once, most frequent first. */
function commonCodes(refused: readonly Receipt[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const code of refused.flatMap((receipt) => codesOf(receipt).slice(0, 1))) {
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  return [...counts].sort((left, right) => right[1] - left[1]).map(([code]) => code)
}

async function tally(index: LedgerIndex, grant: string): Promise<string> {
  await index.sync()
  const counts = await index.counts({ grant })
  const refused = await index.list({ where: { grant, outcome: 'refused' }, limit: PAGE })
  const codes = commonCodes(refused)
  const others = ['gone', 'unknown', 'open'].filter((outcome) => (counts[outcome] ?? 0) > 0)
  return [
    `${counts['allowed'] ?? 0} allowed`,
    `${counts['refused'] ?? 0} refused${codes.length === 0 ? '' : ` (${codes.join(', ')})`}`,
    `${counts['failed'] ?? 0} failed`,
    ...others.map((outcome) => `${counts[outcome]} ${outcome}`),
  ].join(', ')
}

/** One line on what a run did, and the command that shows more. It never fails: the run is over. */
export async function summaryLine(
  place: Offline,
  grant: RunGrant,
  state: string | undefined,
): Promise<string> {
  const filter = grant.task === undefined ? `--grant ${grant.id}` : `--task ${grant.task}`
  const where =
    state === undefined ? '' : ` --state ${/^[\w./-]+$/.test(state) ? state : shellQuote(state)}`
  const subject = grant.task === undefined ? `grant ${grant.id}` : `task ${grant.task}`
  const more = `narrowgate ledger list ${filter}${where}`
  try {
    const counted = await place.withIndex((index) => tally(index, grant.id))
    return `narrowgate: ${[counted, subject, more].join(SEPARATOR)}`
  } catch {
    return `narrowgate: ${['its receipts lie with the gateway', subject, more].join(SEPARATOR)}`
  }
}
