import { createReport, type FieldProblem, type Report } from '../check.ts'
import { orderTerms } from '../want/order.ts'
import type { Cursors } from '../want/page.ts'
import type { Aggregate, Want } from '../want/types.ts'
import { VIEWS } from './fields.ts'
import { readMark } from './mark.ts'
import type {
  Figure,
  FigureName,
  FiguresQuery,
  Grouping,
  View,
  ViewName,
  ViewOrder,
  ViewQuery,
} from './types.ts'
import { TIME_UNITS } from './values.ts'
import { keptWhere } from './where.ts'

const DEFAULT_LIMIT = 100
const MOST_GROUPINGS = 2
const FIGURES: readonly FigureName[] = ['sum', 'min', 'max', 'avg', 'p50', 'p95', 'p99']
const OF_ANY: readonly FigureName[] = ['min', 'max']

export type CheckedView =
  | { readonly ok: true; readonly query: ViewQuery }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** Checks a want, whose form was checked before, against the fields of a view. */
export function checkView(name: ViewName, want: Want, cursors: Cursors): CheckedView {
  const report = createReport()
  const view = VIEWS[name]
  const { shape, aggregate } = want.want ?? {}
  if (shape === 'receipt')
    report.unsupported('want.shape', shape, 'leave it out: rows name their receipts')
  const where = keptWhere(want.where ?? {}, 'where', { view, report })
  const limit = shape === 'first' ? 1 : (want.page?.limit ?? DEFAULT_LIMIT)
  const paged = { view: name, where, limit }
  const query: ViewQuery =
    aggregate !== undefined || shape === 'count'
      ? figuresQuery(aggregate ?? { count: true }, { paged, want, view, report })
      : {
          ...paged,
          kind: 'rows',
          order: orderOf(want, Object.keys(view.fields), report),
          select: selected(want.select, view, report),
        }
  const after =
    want.page?.cursor === undefined ? undefined : readMark(query, want.page.cursor, cursors)
  if (after === null)
    report.malformed('page.cursor', want.page?.cursor, 'use the `next` of this very query')
  if (report.problems.length > 0) return { ok: false, problems: report.problems }
  return { ok: true, query: after ? { ...query, after } : query }
}

interface Figuring {
  readonly paged: Pick<FiguresQuery, 'view' | 'where' | 'limit'>
  readonly want: Want
  readonly view: View
  readonly report: Report
}

function figuresQuery(aggregate: Aggregate, { paged, want, view, report }: Figuring): FiguresQuery {
  if (want.select !== undefined)
    report.malformed('select', want.select, 'leave it out: figures have no fields')
  const figures = FIGURES.flatMap((name) => figuresOf(name, aggregate, { view, report }))
  const by = aggregate.by?.map((text, at) =>
    groupingOf(text, `want.aggregate.by[${at}]`, { view, report }),
  )
  if (by !== undefined && (by.length === 0 || by.length > MOST_GROUPINGS))
    report.malformed('want.aggregate.by', aggregate.by, `name one or two fields`)
  const count = aggregate.count === true
  const columns = [
    ...(by ?? []).map(({ name }) => `by.${name}`),
    ...(count ? ['count'] : []),
    ...figures.map(({ name, field }) => `${name}.${field}`),
  ]
  if (by === undefined && (want.order !== undefined || want.page !== undefined)) {
    const path = want.order === undefined ? 'page' : 'order'
    report.malformed(path, want[path], 'leave it out, or ask for groups with `by`')
  }
  const order = orderOf(want, columns, report)
  return { ...paged, kind: 'figures', count, figures, order, ...(by && { by }) }
}

interface Checking {
  readonly view: View
  readonly report: Report
}

function figuresOf(
  name: FigureName,
  aggregate: Aggregate,
  { view, report }: Checking,
): readonly Figure[] {
  const fields = [...new Set(aggregate[name])]
  for (const [at, field] of fields.entries()) {
    const path = `want.aggregate.${name}[${at}]`
    const type = typeOf(view, field)
    if (type === undefined) report.unknown(path, field, measurable(view, name))
    else if (!isMeasurable(type, name))
      report.malformed(path, field, `use one of ${measurable(view, name).join(', ')}`)
  }
  return fields.map((field) => ({ name, field }))
}

function typeOf({ fields }: View, name: string) {
  return Object.hasOwn(fields, name) ? fields[name]?.type : undefined
}

function isMeasurable(type: string, name: FigureName): boolean {
  return type === 'number' || type === 'milliseconds' || (OF_ANY.includes(name) && type !== 'flag')
}

function measurable(view: View, name: FigureName): readonly string[] {
  const fields = Object.entries(view.fields)
  return fields.filter(([, { type }]) => isMeasurable(type, name)).map(([field]) => field)
}

/** Reads `tool`, or `opened:day`. */
function groupingOf(name: string, path: string, { view, report }: Checking): Grouping {
  const [field = '', unit, ...more] = name.split(':')
  const type = typeOf(view, field)
  if (type === undefined) report.unknown(path, name, Object.keys(view.fields))
  if (unit === undefined) return { name, field }
  const known = TIME_UNITS.find((each) => each === unit)
  if (type !== undefined && (type !== 'time' || known === undefined || more.length > 0))
    report.malformed(
      path,
      name,
      `write a time and its unit: opened:${TIME_UNITS.join(', opened:')}`,
    )
  return { name, field, ...(known && { unit: known }) }
}

function orderOf(want: Want, known: readonly string[], report: Report): readonly ViewOrder[] {
  const order = orderTerms(want.order ?? []).map(({ path, descending }) => ({
    field: path,
    descending,
  }))
  for (const [at, { field }] of order.entries())
    if (!known.includes(field)) report.unknown(`order[${at}]`, field, known)
  return order
}

/** The fields that stay, in the view’s order. */
function selected(
  select: readonly string[] | undefined,
  { fields }: View,
  report: Report,
): readonly string[] {
  const names = Object.keys(fields)
  const out: string[] = []
  const kept: string[] = []
  for (const [at, entry] of (select ?? []).entries()) {
    const name = entry.replace(/^-/, '')
    if (name !== '*' && !names.includes(name)) report.unknown(`select[${at}]`, name, names)
    else (entry.startsWith('-') ? out : kept).push(name)
  }
  const all = kept.length === 0 || kept.includes('*')
  return names.filter(
    (name) => (all || kept.includes(name)) && !out.includes(name) && !out.includes('*'),
  )
}
