import type { Remark } from '../../catalog/index.ts'
import { printable } from '../table.ts'
import type { Screen } from '../terminal.ts'
import type { Difference } from './compare.ts'

/** Lines of one kind that are shown where not all of them were asked for. */
const SHOWN = 10

/** How much is shown of what happened. */
export type Detail = 'some' | 'all'

/** Prints what became of a document, and how the file changes by it. */
export function reportImport(
  screen: Screen,
  parts: {
    readonly skipped: readonly Remark[]
    readonly notes: readonly Remark[]
    readonly difference: Difference
  },
  detail: Detail,
): void {
  const { skipped, notes, difference } = parts
  const remarks = (list: readonly Remark[]) => list.map(({ at, why }) => `${at}: ${why}`)
  printList(screen, { title: 'skipped', lines: remarks(skipped), detail })
  printList(screen, { title: 'noted', lines: remarks(notes), detail })
  printList(screen, { title: 'added', lines: difference.added, detail })
  printList(screen, { title: 'changed', lines: difference.changed, detail })
  printList(screen, { title: 'removed', lines: difference.removed, detail })
}

function printList(
  screen: Screen,
  list: { readonly title: string; readonly lines: readonly string[]; readonly detail: Detail },
): void {
  const { title, lines, detail } = list
  if (lines.length === 0) return
  screen.line(`${title} ${lines.length}`)
  const shown = detail === 'all' ? lines : lines.slice(0, SHOWN)
  for (const line of shown) screen.line(`  ${printable(line)}`)
  if (shown.length < lines.length) {
    screen.line(screen.faint(`  and ${lines.length - shown.length} more: --all lists them`))
  }
}
