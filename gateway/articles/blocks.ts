import {
  factAt,
  inlineSpans,
  type Block,
  type Fact,
  type ListItem,
  type Source,
  type Span,
} from '../../catalog/index.ts'
import { html, type Markup, type Part } from '../pages/html.ts'
import { tableOf, tiles, timeOf } from '../pages/parts.ts'
import { cardOf } from './cards.ts'
import type { Live } from './live.ts'
import type { ArticleView } from './view.ts'

/** What the blocks of one page share. */
interface Page {
  readonly view: ArticleView
  /** Gives names that nothing else on the page has, as screen readers list them. */
  readonly named: (name: string) => string
  /** Whether a heading of the second level stands above. */
  headed: boolean
}

type Shower<Type extends Block['type']> = (
  block: Extract<Block, { readonly type: Type }>,
  page: Page,
  at: number,
) => Part

const SHOWERS: { readonly [Type in Block['type']]: Shower<Type> } = {
  heading({ level, text }, page) {
    // A third level without a second one would be a gap to who goes from heading to heading.
    if (level === 3 && page.headed) return html`<h3>${inline(text)}</h3>`
    page.headed = true
    return html`<h2>${inline(text)}</h2>`
  },
  text: ({ text }) => paragraphs(text),
  list: ({ ordered, items }) => listOf(items, ordered === true ? 'ol' : 'ul'),
  table({ caption, columns, rows }, { named }) {
    const shown = columns.map((name, at) => ({
      name,
      cell: (row: readonly string[]) => (row[at] ? inline(row[at]) : '–'),
    }))
    const table = tableOf(named(caption), shown, rows) ?? html`<p class="soft">No rows.</p>`
    return figure(caption, table)
  },
  code: ({ text }, { named }) =>
    html`<pre role="region" aria-label="${named('Code')}" tabindex="0"><code>${text}</code></pre>`,
  quote: ({ source }, { view }) => quoted(source, view.article.sources[source]),
  facts: ({ names }, { view }) =>
    tiles(names.map((name) => ({ name, value: factShown(factAt(view.article.facts, name)) }))),
  ledger(_, page, at) {
    const live = page.view.live.get(at)
    return live === undefined ? undefined : figure(live.title, liveOf(live, page))
  },
  card: ({ slug }, { view }) => cardOf(slug, view.cards),
}

/** All blocks of an article. */
export function blocksOf(view: ArticleView): readonly Part[] {
  const names = new Map<string, number>()
  const named = (name: string) => {
    const count = (names.get(name) ?? 0) + 1
    names.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  }
  const page: Page = { view, named, headed: false }
  return view.article.blocks.map((block, at) => {
    const show = SHOWERS[block.type] as Shower<Block['type']>
    return show(block as never, page, at)
  })
}

function figure(caption: string, body: Part): Markup {
  return html`<figure class="tight">
    <figcaption class="label">${caption}</figcaption>
    ${body}
  </figure>`
}

function paragraphs(text: string): readonly Markup[] {
  return text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p>${inline(part)}</p>`)
}

function inline(text: string): readonly Part[] {
  return inlineSpans(text).map(spanOf)
}

function spanOf(span: Span): Part {
  if (span.kind === 'bold') return html`<strong>${span.text}</strong>`
  if (span.kind === 'code') return html`<code>${span.text}</code>`
  if (span.kind === 'link')
    return html`<a href="${span.href}" rel="noopener noreferrer">${span.text}</a>`
  return span.text
}

function listOf(items: readonly ListItem[], kind: 'ol' | 'ul'): Markup {
  const shown = items.map((item) =>
    typeof item === 'string'
      ? html`<li>${inline(item)}</li>`
      : html`<li>${inline(item.text)}${listOf(item.items, kind)}</li>`,
  )
  return kind === 'ol'
    ? html`<ol>
        ${shown}
      </ol>`
    : html`<ul>
        ${shown}
      </ul>`
}

function quoted(at: number, source: Source | undefined): Markup {
  return html`<figure class="tight">
    <blockquote>${source?.quote}</blockquote>
    <figcaption class="soft">
      <a href="#source-${at}">Source ${at}</a
      >${source?.title === undefined ? undefined : `: ${source.title}`}
    </figcaption>
  </figure>`
}

/** A fact as it is read; names within it by their paths. */
export function factShown(fact: Fact | undefined): string {
  if (fact === undefined || fact === null) return '–'
  if (typeof fact !== 'object') return String(fact)
  return Object.entries(fact)
    .map(([name, value]) => `${name}: ${factShown(value)}`)
    .join(', ')
}

function liveOf({ title, withheld, figures = [], table, bars }: Live, { named }: Page): Part {
  if (withheld !== undefined) return html`<p class="note">${withheld}</p>`
  const nothing = html`<p class="soft">Nothing so far.</p>`
  if (bars !== undefined) return bars.length === 0 ? nothing : barsOf(named(title), bars)
  const columns = (table?.columns ?? []).map(({ name, kind }, at) => ({
    name,
    ...(kind === 'number' && { kind }),
    cell(row: readonly string[]): Part {
      const text = row[at] ?? ''
      if (text === '') return '–'
      return kind === 'time' ? timeOf(text) : html`<code>${text}</code>`
    },
  }))
  const rows = tableOf(named(title), columns, table?.rows ?? []) ?? nothing
  return figures.length === 0 ? rows : [tiles(figures), rows]
}

function barsOf(name: string, bars: NonNullable<Live['bars']>): Part {
  const most = Math.max(...bars.map(({ value }) => value), 1)
  return tableOf(
    name,
    [
      { name: 'Group', cell: ({ label }) => (label === '' ? '–' : label) },
      { name: 'Figure', kind: 'number' as const, cell: ({ value }) => value },
      {
        name: 'Compared',
        cell: ({ label, value }) =>
          html`<meter min="0" max="${most}" value="${value}" aria-label="${label}"></meter>`,
      },
    ],
    bars,
  )
}
