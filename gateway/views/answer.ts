import type { LedgerIndex } from '../../adapters/ledger/port.ts'
import {
  checkView,
  viewResult,
  type Cursors,
  type ShownRow,
  type ViewName,
  type Want,
} from '../../catalog/index.ts'
import { refusalOfProblems } from '../problems.ts'

/** A question to a view of the ledger. */
export interface ViewQuestion {
  readonly view: ViewName
  /** Its form was checked. */
  readonly want: Want
}

/** What a question is answered with; which members there are follows from what was asked. */
export interface LedgerAnswer {
  readonly view: ViewName
  readonly rows?: readonly ShownRow[]
  /** Where the first row alone was asked for; null where there is none. */
  readonly row?: ShownRow | null
  /** Over everything, or of each group. */
  readonly figures?: ShownRow | readonly ShownRow[]
  /** Of this page. */
  readonly cursor?: string
  /** Of the next one; null at the end. */
  readonly next?: string | null
  /** The highest sequence number that the answer knows of. */
  readonly seq: number
  /** Records that are durable and not in the answer yet. */
  readonly lag: number
}

/**
 * Asks a view.
 * @throws Refusal for what the view does not have, naming its path
 */
export async function answerView(
  index: Pick<LedgerIndex, 'view' | 'lag'>,
  { view, want }: ViewQuestion,
  cursors: Cursors,
): Promise<LedgerAnswer> {
  const checked = checkView(view, want, cursors)
  if (!checked.ok) throw refusalOfProblems(checked.problems)
  const lag = index.lag()
  const answer = await index.view(checked.query)
  const { kind, ...result } = viewResult(checked.query, answer, cursors)
  const about = { seq: answer.seq, lag }
  if (want.want?.shape !== 'first' || kind !== 'rows') return { view, ...result, ...about }
  const [row = null] = 'rows' in result ? result.rows : []
  return { view, row, ...about }
}
