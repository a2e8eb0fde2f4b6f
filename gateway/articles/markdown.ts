import {
  factAt,
  inlineSpans,
  RELATIONS,
  type Block,
  type ListItem,
  type Span,
} from '../../catalog/index.ts'
import { factShown } from './blocks.ts'
import type { Live } from './live.ts'
import type { ArticleView, Card } from './view.ts'

type Writer<Type extends Block['type']> = (
  block: Extract<Block, { readonly type: Type }>,
  view: ArticleView,
  at: number,
) => string

const WRITERS: { readonly [Type in Block['type']]: Writer<Type> } = {
  heading: ({ level, text }) => `${'#'.repeat(level)} ${inline(text)}`,
  text: ({ text }) =>
    text
      .split('\n')
      .map((line) => atLineStart(inline(line.trim())))
      .join('\n'),
  list: ({ ordered, items }) => listOf(items, ordered === true ? '1.' : '-', ''),
  table: ({ caption, columns, rows }) =>
    `${bold(caption)}\n\n${tableOf(
      columns.map(plain),
      rows.map((row) => row.map(inline)),
    )}`,
  code: ({ language = '', text }) => {
    const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
    const fence = '`'.repeat(longest + 1)
    return `${fence}${language}\n${text}\n${fence}`
  },
  quote: ({ source }, { article }) => {
    const lines = (article.sources[source]?.quote ?? '').split('\n')
    return [
      ...lines.map((line) => `> ${atLineStart(plain(line.trim()))}`),
      `> — source ${source}`,
    ].join('\n')
  },
  facts: ({ names }, { article }) =>
    names.map((name) => factLine(name, factShown(factAt(article.facts, name)))).join('\n'),
  ledger: (_, { live }, at) => liveOf(live.get(at)),
  card: ({ slug }, { cards }) => cardLine(slug, cards),
}

/** An article as Markdown (CommonMark, with tables). No text of it is markup, but for its own inline markup. */
export function articleMarkdown(view: ArticleView): string {
  const { article } = view
  const parts = [
    `# ${plain(article.title)}`,
    plain(article.summary),
    ...article.blocks.map((block, at) => {
      const write = WRITERS[block.type] as Writer<Block['type']>
      return write(block as never, view, at)
    }),
    ...section(
      'Facts',
      Object.entries(article.facts).map(([name, fact]) => factLine(name, factShown(fact))),
    ),
    ...RELATIONS.flatMap((relation) =>
      section(
        relation.replace(/^./, (letter) => letter.toUpperCase()),
        article[relation].map((slug) => cardLine(slug, view.cards)),
      ),
    ),
    ...section(
      'Sources',
      article.sources.map(({ title, receipt, part, object, sha256 }, at) => {
        const where = receipt === undefined ? `object ${object}` : `receipt ${receipt}, ${part}`
        return `- ${at}: ${plain([title, where].filter(Boolean).join(', '))}, SHA-256 ${sha256}`
      }),
    ),
    `${plain(article.kind)}, ${article.status}, changed ${article.updated}, SHA-256 ${article.hash}`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function section(name: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${name}`, lines.join('\n')]
}

function factLine(name: string, value: string): string {
  return `- ${bold(name)}: ${plain(value)}`
}

function cardLine(slug: string, cards: ReadonlyMap<string, Card>): string {
  const card = cards.get(slug)
  if (card === undefined) return `- No article ${plain(slug)} here`
  const { title, kind, summary } = card
  const end = summary === '' ? '' : `: ${plain(summary)}`
  return `- [${plain(title)}](${slug}) (${plain(kind)})${end}`
}

function liveOf(live: Live | undefined): string {
  if (live === undefined) return ''
  const { title, withheld, figures = [], table, bars } = live
  const shown = [bold(title)]
  if (withheld !== undefined) shown.push(plain(withheld))
  if (figures.length > 0)
    shown.push(figures.map(({ name, value }) => factLine(name, value)).join('\n'))
  if (table !== undefined && table.rows.length > 0) {
    const names = table.columns.map(({ name }) => plain(name))
    shown.push(
      tableOf(
        names,
        table.rows.map((row) => row.map(plain)),
      ),
    )
  }
  if (bars !== undefined && bars.length > 0)
    shown.push(
      tableOf(
        ['Group', 'Figure'],
        bars.map(({ label, value }) => [plain(label), String(value)]),
      ),
    )
  return shown.join('\n\n')
}

function listOf(items: readonly ListItem[], mark: string, indent: string): string {
  return items
    .map((item) => {
      const [text, below] = typeof item === 'string' ? [item, []] : [item.text, item.items]
      const line = `${indent}${mark} ${atLineStart(inline(text))}`
      const inner = `${indent}${' '.repeat(mark.length + 1)}`
      return below.length === 0 ? line : `${line}\n${listOf(below, mark, inner)}`
    })
    .join('\n')
}

function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}

function inline(text: string): string {
  return inlineSpans(text).map(spanOf).join('')
}

function spanOf(span: Span): string {
  if (span.kind === 'bold') return bold(span.text)
  // Within code a bar would still part the cells of a table.
  if (span.kind === 'code') return `\`${span.text.replaceAll('|', '\\|')}\``
  if (span.kind === 'link') return `[${plain(span.text)}](${span.href})`
  return plain(span.text)
}

function bold(text: string): string {
  return `**${plain(text)}**`
}

/** A text of which nothing is markup: any ASCII punctuation may be escaped. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>&#|~!]/g, '\\$&')
}

/** What begins a list or underlines a heading, at the start of a line alone. */
function atLineStart(line: string): string {
  return line.replace(/^([-+=])/, '\\$1').replace(/^(\d+)([.)])/, '$1\\$2')
}
