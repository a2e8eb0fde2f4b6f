import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../../pages/html.ts'
import { refusal } from '../../../refusal.ts'
import { FILTERS, readReceiptQuery } from '../../receipt-query.ts'
import type { OwnerPorts } from '../../ports.ts'
import { addGet } from '../../routes/get.ts'
import { pageAt } from '../address.ts'
import { framed } from '../frame.ts'
import { readQuery } from '../query.ts'
import { receiptPage } from './receipt.ts'
import { receiptTable } from './table.ts'

const ON_A_PAGE = '50'
const OUTCOMES = ['allowed', 'refused', 'failed', 'gone', 'unknown', 'open'] as const

type Given = Readonly<Partial<Record<(typeof FILTERS)[number] | 'after', string>>>

/** Receipts, many and one. What was durable when the request came in is on the page. */
export function ledgerPages(scope: FastifyInstance, { clock, index }: OwnerPorts): void {
  addGet(scope, '/ledger', async (request) => {
    const given: Given = readQuery(request, [...FILTERS, 'after'])
    const query = readReceiptQuery({ ...given, limit: ON_A_PAGE })
    await index.sync()
    const receipts = await index.list(query)
    const next = receipts.length === query.limit ? receipts.at(-1)?.seq : undefined
    const main = html`<div class="stack">
      <h1>Ledger</h1>
      ${filterForm(given, clock.now())}
      ${receiptTable(receipts) ?? html`<p class="card nothing">No receipt is like that.</p>`}
      ${pager(given, next)}
    </div>`
    return framed(request, 'Ledger', main)
  })
  addGet(scope, '/ledger/:id', async (request) => {
    readQuery(request, [])
    await index.sync()
    const receipt = await index.get(idOf(request))
    if (receipt !== undefined) return framed(request, `Receipt ${receipt.id}`, receiptPage(receipt))
    const repair = 'see the ledger for those there are'
    throw refusal('not_found', 'receipt', { got: 'an id without a receipt', repair })
  })
}

function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id
}

const LABELS: Readonly<Record<(typeof FILTERS)[number], string>> = {
  outcome: 'Outcome',
  tool: 'Tool',
  task: 'Task',
  grant: 'Grant',
  code: 'Code',
  host: 'Host',
  since: 'Since',
}

function filterForm(given: Given, now: number): Markup {
  const fields = FILTERS.map((name) => {
    const control = name === 'outcome' ? outcomeSelect(given.outcome) : textInput(name, given[name])
    return html`<div class="field"><label for="${name}">${LABELS[name]}</label>${control}</div>`
  })
  const spans = [
    ['Last hour', 1],
    ['Last day', 24],
    ['Last week', 168],
  ] as const
  const quick = spans.map(([text, hours]) => {
    const since = `${new Date(now - hours * 3_600_000).toISOString().slice(0, 19)}Z`
    const { after: _, ...filters } = given
    return html`<a class="button light" href="${pageAt(['ledger'], { ...filters, since })}"
      >${text}</a
    >`
  })
  return html`<form class="tight" action="${pageAt(['ledger'])}" role="search">
    <div class="filters">${fields}</div>
    <p class="actions">
      <button class="first">Filter</button
      ><a class="button light" href="${pageAt(['ledger'])}">All</a>${quick}
    </p>
  </form>`
}

function outcomeSelect(chosen: string | undefined): Markup {
  const options = OUTCOMES.map((outcome) => {
    const selected = outcome === chosen ? html` selected` : undefined
    return html`<option${selected}>${outcome}</option>`
  })
  return html`<select id="outcome" name="outcome">
    <option value="">any</option>
    ${options}
  </select>`
}

function textInput(name: string, value: string | undefined): Markup {
  const example = name === 'since' ? '2026-01-31T12:00:00Z' : ''
  return html`<input
    class="code"
    id="${name}"
    name="${name}"
    value="${value}"
    placeholder="${example}"
    autocapitalize="off"
    spellcheck="false"
  />`
}

function pager(given: Given, next: number | undefined): Markup | undefined {
  const { after, ...filters } = given
  const newest =
    after === undefined
      ? undefined
      : html`<a class="button" href="${pageAt(['ledger'], filters)}">Newest</a>`
  const older =
    next === undefined
      ? undefined
      : html`<a class="button" href="${pageAt(['ledger'], { ...filters, after: next })}">Older</a>`
  if (newest === undefined && older === undefined) return undefined
  return html`<nav class="actions" aria-label="Pages">${newest}${older}</nav>`
}
