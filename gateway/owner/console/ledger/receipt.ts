import type { Receipt } from '../../../../adapters/ledger/port.ts'
import { html, type Markup, type Part } from '../../../pages/html.ts'
import { facts, timeOf } from '../../../pages/parts.ts'
import { pageAt } from '../address.ts'
import { outcomeBadge, requestOf } from './table.ts'

/** All of a receipt: what was decided and why, then every field. */
export function receiptPage(receipt: Receipt): Markup {
  return html`<div class="stack">
    <div class="tight">
      <h1>Receipt ${outcomeBadge(receipt)}</h1>
      <p><code>${requestOf(receipt)}</code></p>
    </div>
    ${reasons(receipt)}
    <section class="card" aria-labelledby="fields-head">
      <h2 id="fields-head">Every field</h2>
      ${facts(fieldsOf('', receipt).map(([path, value]) => [html`<code>${path}</code>`, shown(path, value)]))}
    </section>
  </div>`
}

function reasons({ reasons: found }: Receipt): Markup | undefined {
  if (!Array.isArray(found) || found.length === 0) return undefined
  const items = found.map((reason: Readonly<Record<string, unknown>>) => {
    const { axis, caveat, got, repair } = reason
    const subject = caveat === undefined ? html`${text(axis)}` : html`<code>${text(caveat)}</code>`
    return html`<li>${subject}: got <code>${text(got)}</code>; ${text(repair)}</li>`
  })
  return html`<section class="note warn" aria-label="Reasons">
    <ul>
      ${items}
    </ul>
  </section>`
}

type Field = readonly [path: string, value: unknown]

/** Every value of a record, by its path; an empty list or object is a value too. */
function fieldsOf(path: string, value: unknown): readonly Field[] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[path, Array.isArray(value) ? '[]' : '{}']]
  return entries.flatMap(([name, item]) => {
    if (Array.isArray(value)) return fieldsOf(`${path}[${name}]`, item)
    return fieldsOf(path === '' ? name : `${path}.${name}`, item)
  })
}

const TIMES: ReadonlySet<string> = new Set(['opened', 'closed'])

function shown(path: string, value: unknown): Part {
  if (TIMES.has(path) && typeof value === 'string') return timeOf(value)
  if (typeof value !== 'string' || value === '') return html`<code>${text(value)}</code>`
  if (path === 'grant')
    return html`<a href="${pageAt(['grants', value])}"><code>${value}</code></a>`
  if (path === 'task')
    return html`<a href="${pageAt(['ledger'], { task: value })}"><code>${value}</code></a>`
  return html`<code>${value}</code>`
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
