import { fingerprint, type Cursors, type PageCursors } from '../want/page.ts'
import type { Kept, KeptRow, Mark, ViewQuery } from './types.ts'

/** Keeps these apart from the cursors of answers, which the same key signs. */
const KIND = 'view '

/** The cursors of a page, given its last row; `more` says whether rows follow it. */
export function viewCursors(
  query: ViewQuery,
  last: KeptRow | undefined,
  { more, cursors }: { readonly more: boolean; readonly cursors: Cursors },
): PageCursors {
  const keys = query.order.map(({ field }) => last?.[field] ?? null)
  const at = (seq: Kept, keys: readonly Kept[]) =>
    cursors.sign(KIND + JSON.stringify([fingerprintOf(query), seq, ...keys]))
  const { seq = null, keys: former = [] } = query.after ?? {}
  return { cursor: at(seq, former), next: more ? at(last?.['seq'] ?? null, keys) : null }
}

/** The place that a cursor stands for: undefined for the beginning, null where it is none of this very question. */
export function readMark(
  query: ViewQuery,
  cursor: string,
  cursors: Cursors,
): Mark | undefined | null {
  const text = cursors.check(cursor)
  if (text?.startsWith(KIND) !== true) return null
  // It was signed by this gateway, so that it is what `viewCursors` wrote.
  const [asked, seq, ...keys] = JSON.parse(text.slice(KIND.length)) as [string, Kept, ...Kept[]]
  if (asked !== fingerprintOf(query)) return null
  return typeof seq === 'number' ? { keys, seq } : undefined
}

/** A place means nothing under another filter, order or grouping; how many rows a page has is free. */
function fingerprintOf(query: ViewQuery): string {
  const { view, where, order, kind } = query
  return fingerprint([view, where, order, kind === 'figures' ? (query.by ?? []) : []])
}
