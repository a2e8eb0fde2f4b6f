import type { ViewName } from '../views/types.ts'
import type { Want } from '../want/types.ts'
import type { ArticlePlot, ArticleQuery } from './types.ts'

const GROUPS_SHOWN = 120

/** A question as the views take it. */
interface Asked {
  readonly view: ViewName
  readonly want: Want
}

export function queryWant({ view, ...want }: ArticleQuery): Asked {
  return { view, want }
}

/** The groups in their own order, so that times go forward. */
export function plotWant({ view, where, by, figure }: ArticlePlot): Asked {
  const [name = '', field] = figure.split('.')
  const wanted = field === undefined ? { count: true } : { [name]: [field] }
  const want = {
    ...(where && { where }),
    order: [`by.${by}`],
    page: { limit: GROUPS_SHOWN },
    want: { aggregate: { ...wanted, by: [by] } },
  }
  return { view, want }
}
