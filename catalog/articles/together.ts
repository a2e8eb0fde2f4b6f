import type { Report } from '../check.ts'
import { checkView } from '../views/query.ts'
import type { Cursors } from '../want/page.ts'
import { factAt } from './facts.ts'
import { plotWant, queryWant } from './questions.ts'
import type { Article, Block } from './types.ts'

/** No article holds a cursor. */
const NO_CURSORS: Cursors = { sign: (text) => text, check: () => undefined }

type CheckOf<Type extends Block['type']> = (
  block: Extract<Block, { readonly type: Type }>,
  path: string,
  around: { readonly article: Article; readonly report: Report },
) => void

const CHECKS: { readonly [Type in Block['type']]?: CheckOf<Type> } = {
  table({ columns, rows }, path, { report }) {
    for (const [at, row] of rows.entries())
      if (row.length !== columns.length)
        report.malformed(`${path}.rows[${at}]`, row, `write ${columns.length} cells, one a column`)
  },
  quote({ source }, path, { article: { sources }, report }) {
    if (sources[source]?.quote === undefined)
      report.malformed(`${path}.source`, source, 'number a source that has a quote, from 0 on')
  },
  facts({ names }, path, { article: { facts }, report }) {
    for (const [at, name] of names.entries())
      if (factAt(facts, name) === undefined)
        report.malformed(`${path}.names[${at}]`, name, 'name one of the facts')
  },
  ledger({ query, plot }, path, { report }) {
    const asked = query ? queryWant(query) : plot && plotWant(plot)
    if (asked === undefined) return
    const checked = checkView(asked.view, asked.want, NO_CURSORS)
    if (checked.ok) return
    for (const problem of checked.problems)
      report.include({
        ...problem,
        // The question behind a plot has other members than the plot.
        path: query ? `${path}.query.${problem.path}` : `${path}.plot`,
      })
  },
}

/** What only the parts of an article together show: widths of tables, sources and facts that are named, fields of views. */
export function checkTogether(article: Article, report: Report): void {
  for (const [at, block] of article.blocks.entries()) {
    const check = CHECKS[block.type] as CheckOf<Block['type']> | undefined
    check?.(block as never, `blocks[${at}]`, { article, report })
  }
}
