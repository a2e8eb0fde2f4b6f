import type { Receipt } from '../../../../adapters/ledger/port.ts'
import { html, type Markup } from '../../../pages/html.ts'
import { badge, tableOf, timeOf, type Column, type Mood } from '../../../pages/parts.ts'
import { pageAt } from '../address.ts'

const MOODS: Readonly<Record<Receipt['outcome'], Mood>> = {
  allowed: 'good',
  refused: 'warn',
  failed: 'bad',
  gone: 'plain',
  unknown: 'warn',
  open: 'plain',
}

export function outcomeBadge({ outcome }: Receipt): Markup {
  return badge(MOODS[outcome], outcome)
}

const COLUMNS: readonly Column<Receipt>[] = [
  {
    name: 'Opened',
    cell: ({ id, opened }) =>
      html`<a href="${pageAt(['ledger', id])}">${timeOf(textOf(opened))}</a>`,
  },
  {
    name: 'Outcome',
    cell: (receipt) => html`${outcomeBadge(receipt)} <code>${statusOf(receipt)}</code>`,
  },
  { name: 'Tool', kind: 'wide', cell: ({ tool }) => html`<code>${textOf(tool)}</code>` },
  {
    name: 'Request',
    kind: 'wide',
    cell: (receipt) => html`<div class="cut"><code>${requestOf(receipt)}</code></div>`,
  },
  { name: 'Task', kind: 'wide', cell: ({ task }) => textOf(task) ?? '–' },
]

/** Receipts in few words, each with the way to all of it; undefined where there are none. */
export function receiptTable(receipts: readonly Receipt[]): Markup | undefined {
  return tableOf('Receipts', COLUMNS, receipts)
}

/** Method and URL. */
export function requestOf({ upstream }: Receipt): string {
  if (typeof upstream !== 'object' || upstream === null) return '–'
  const { method, url } = upstream as { readonly method?: unknown; readonly url?: unknown }
  return `${textOf(method) ?? ''} ${textOf(url) ?? ''}`.trim()
}

function statusOf({ code, status }: Receipt): string {
  return textOf(code) ?? (typeof status === 'number' ? String(status) : '–')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
