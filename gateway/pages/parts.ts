import { html, type Markup, type Part } from './html.ts'

/** A time, which the page's script shows in the reader's own zone; a dash where there is none. */
export function timeOf(rfc3339: string | null | undefined): Markup {
  if (rfc3339 === null || rfc3339 === undefined) return html`–`
  const time = new Date(rfc3339)
  if (Number.isNaN(time.getTime())) return html`${rfc3339}`
  const iso = time.toISOString()
  const shown = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
  return html`<time datetime="${iso}">${shown}</time>`
}

/** A text of ours, in which backticks stand around what is written literally. */
export function prose(text: string): Markup {
  const parts = text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
  return html`${parts}`
}

/** How good something is; also the name of its colours. */
export type Mood = 'good' | 'bad' | 'warn' | 'plain'

export function badge(mood: Mood, text: string): Markup {
  return html`<span class="badge ${mood}">${text}</span>`
}

/** Names and what they stand for. */
export function facts(rows: readonly (readonly [name: Part, value: Part])[]): Markup {
  const items = rows.map(
    ([name, value]) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`,
  )
  return html`<dl class="facts">${items}</dl>`
}

/** Lines of a grant: what each means, and how it is written. */
export function saidLines(
  lines: readonly { readonly line: string; readonly says: string; readonly more?: Part }[],
): Markup {
  const items = lines.map(
    ({ line, says, more }) =>
      html`<li><span class="says">${prose(says)}</span><code>${line}</code>${more}</li>`,
  )
  return html`<ol class="lines">
    ${items}
  </ol>`
}

/** A column of a table. */
export interface Column<Row> {
  readonly name: string
  /** `wide` columns are left out on narrow screens, `number` ones stand to the right. */
  readonly kind?: 'wide' | 'number'
  /** What stands in it. */
  readonly cell: (row: Row) => Part
}

/** A table; its first column names the row. Undefined where there are no rows. */
export function tableOf<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Markup | undefined {
  if (rows.length === 0) return undefined
  const head = columns.map(({ name, kind }) => html`<th scope="col" class="${kind}">${name}</th>`)
  const line = (row: Row) => {
    const cells = columns.map(({ kind, cell }, at) =>
      at === 0
        ? html`<th scope="row" class="${kind}">${cell(row)}</th>`
        : html`<td class="${kind}">${cell(row)}</td>`,
    )
    return html`<tr>
      ${cells}
    </tr>`
  }
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption class="unseen">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${rows.map(line)}
      </tbody>
    </table>
  </div>`
}

/** Figures that are to be seen at a glance. */
export function tiles(
  figures: readonly { readonly name: string; readonly value: Part; readonly mood?: Mood }[],
): Markup {
  const items = figures.map(
    ({ name, value, mood = 'plain' }) =>
      html`<div class="tile">
        <dt>${name}</dt>
        <dd class="${mood}">${value}</dd>
      </div>`,
  )
  return html`<dl class="tiles">${items}</dl>`
}
