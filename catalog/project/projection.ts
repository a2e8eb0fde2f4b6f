import { shown, type FieldProblem } from '../check.ts'
import { pathsOfAggregate } from '../want/aggregate.ts'
import { pathsOfWhere } from '../want/filter.ts'
import { orderTerms, type OrderTerm } from '../want/order.ts'
import { pageWindow, type Cursors, type PageWindow } from '../want/page.ts'
import {
  arrayOf,
  behindRows,
  parsePath,
  parseSelector,
  type Selector,
  type Step,
} from '../want/path.ts'
import {
  SKIP,
  TAKE,
  aroundRows,
  elementOf,
  memberOf,
  compileSelect,
  intersect,
  type SelectNode,
} from '../want/select.ts'
import type { ResultFormat, Want } from '../want/types.ts'
import { compileCapture, type CaptureNode } from './capture.ts'
import { createNames, type Names } from './names.ts'

/** How the rows of one frame are read. */
export interface RowPlan {
  /** Of the whole document, rows included. */
  readonly root: SelectNode
  /** Of one row. */
  readonly row: SelectNode
  readonly capture: CaptureNode | undefined
  /** What of one row anybody may see. */
  readonly ceiling: SelectNode
  /** A path's steps as they go from one row. */
  readonly relative: (steps: readonly Step[]) => readonly Step[]
}

/** A want compiled against a row of the catalog: everything that does not depend on the document. */
export interface Projection {
  readonly want: Want
  readonly cursors: Cursors
  /** Path of the rows where the document is no array; undefined where none is known. */
  readonly rows: readonly string[] | undefined
  /** Filter, order, page, figures and forms have no meaning without rows. */
  readonly needsRows: boolean
  /** Where the document is an array. */
  readonly atRoot: RowPlan
  /** Where the rows lie at `rows`. */
  readonly atPath: RowPlan
  /** Where there are no rows. */
  readonly whole: SelectNode
  /** Whether `whole` keeps something else around than `atPath`: until the rows show, both may apply. */
  readonly undecided: boolean
  readonly order: readonly OrderTerm[]
  readonly window: PageWindow | undefined
  /** Paths that are read of each row; a slot is a position in it. Columns come last, as raw JSON. */
  readonly paths: readonly string[]
  readonly columns: readonly string[]
  readonly format: ResultFormat | undefined
  /** Every name that any of this speaks of. */
  readonly names: Names
}

/** What a catalog row says of its answers, and how cursors are made. */
export interface ProjectionOptions {
  readonly rows?: string
  readonly only?: readonly string[]
  readonly cursors: Cursors
}

export type CompiledProjection =
  | { readonly ok: true; readonly projection: Projection }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** Compiles a checked want. What can still be wrong is its cursor. */
export function compileProjection(want: Want, options: ProjectionOptions): CompiledProjection {
  const select = selectorsOf(want.select)
  const only = selectorsOf(options.only)
  const rows = options.rows?.split('.') ?? sharedArray(select) ?? sharedArray(only)
  const window = windowOf(want, options.cursors)
  if (window === 'bad_cursor') return { ok: false, problems: [badCursor(want)] }
  const columns = want.want?.format === 'csv' ? (want.select ?? []).filter(isKept) : []
  const paths = [...fieldPaths(want), ...columns]
  const frames = { select, only, paths }
  const projection: Projection = {
    want,
    cursors: options.cursors,
    rows,
    needsRows: needsRows(want),
    atRoot: planAtRoot(frames),
    atPath: planAtPath(frames, rows ?? []),
    whole: intersect(compileSelect(select), compileSelect(only)),
    undecided: rows !== undefined && [select, only].some((list) => isRelative(list, rows)),
    order: orderTerms(want.order ?? []),
    window,
    paths,
    columns,
    format: want.want?.format,
    names: createNames(namesOf(frames, rows ?? [])),
  }
  return { ok: true, projection }
}

interface Frames {
  readonly select: readonly Selector[]
  readonly only: readonly Selector[]
  readonly paths: readonly string[]
}

/** The names of all paths, and those of the members that a page's cursors replace. */
function namesOf({ select, only, paths }: Frames, rows: readonly string[]): readonly string[] {
  const lists = [
    ...[...select, ...only].map(({ steps }) => steps),
    ...paths.map((path) => parsePath(path) ?? []),
  ]
  const named = lists.flat().flatMap((step) => (step.kind === 'member' ? [step.name] : []))
  return [...named, ...rows, 'cursor', 'next']
}

function planAtRoot({ select, only, paths }: Frames): RowPlan {
  const ceiling = compileSelect(only)
  const row = intersect(compileSelect(select), ceiling)
  const relative = (steps: readonly Step[]) => steps
  const capture = compileCapture(paths, ceiling, relative)
  return { root: aroundRows([], row, TAKE), row, capture, ceiling, relative }
}

function planAtPath({ select, only, paths }: Frames, rows: readonly string[]): RowPlan {
  const hidden = rootTree(only, rows, SKIP)
  const root = intersect(rootTree(select, rows, TAKE), hidden)
  const ceiling = rowTree(hidden, rows)
  const relative = (steps: readonly Step[]) => behindRows(steps, rows) ?? steps
  const capture = compileCapture(paths, ceiling, relative)
  return { root, row: rowTree(root, rows), capture, ceiling, relative }
}

/** The tree of a list over a document whose rows lie at `rows`; a list that never goes there speaks of one row. */
function rootTree(
  list: readonly Selector[],
  rows: readonly string[],
  around: SelectNode,
): SelectNode {
  const tree = compileSelect(list)
  return isRelative(list, rows) ? aroundRows(rows, tree, around) : tree
}

function isRelative(list: readonly Selector[], rows: readonly string[]): boolean {
  return list.length > 0 && !list.some(({ steps }) => behindRows(steps, rows) !== undefined)
}

function rowTree(root: SelectNode, rows: readonly string[]): SelectNode {
  return elementOf(rows.reduce(memberOf, root))
}

function selectorsOf(list: readonly string[] | undefined): readonly Selector[] {
  return (list ?? []).flatMap((text) => parseSelector(text) ?? [])
}

function isKept(selector: string): boolean {
  return !selector.startsWith('-')
}

function sharedArray(list: readonly Selector[]): readonly string[] | undefined {
  const deep = list.filter(({ steps }) => steps.some((step) => step.kind === 'each'))
  const [first, ...others] = deep.map(({ steps }) => arrayOf(steps)?.join('.'))
  return others.every((other) => other === first) ? first?.split('.') : undefined
}

/** Every path that filter, order and figures read, once. */
function fieldPaths(want: Want): readonly string[] {
  const ordered = orderTerms(want.order ?? []).map(({ path }) => path)
  const measured = pathsOfAggregate(want.want?.aggregate ?? {})
  return [...new Set([...pathsOfWhere(want.where ?? {}), ...ordered, ...measured])]
}

function needsRows({ where, order, page, want }: Want): boolean {
  const { shape, aggregate, format } = want ?? {}
  const shaped = shape === 'first' || shape === 'count'
  const formed = format === 'ndjson' || format === 'csv'
  return [where, order, page, aggregate].some((part) => part !== undefined) || shaped || formed
}

/** Figures are over all rows, so that a page says nothing for them; the first row is a page of one. */
function windowOf(want: Want, cursors: Cursors): PageWindow | undefined | 'bad_cursor' {
  const { shape, aggregate } = want.want ?? {}
  const window = want.page && pageWindow(want.page, want, cursors)
  if (want.page !== undefined && window === undefined) return 'bad_cursor'
  if (aggregate !== undefined || shape === 'count') return undefined
  return shape === 'first' ? { offset: window?.offset ?? 0, limit: 1 } : window
}

function badCursor(want: Want): FieldProblem {
  return {
    code: 'malformed_request',
    path: 'page.cursor',
    got: shown(want.page?.cursor),
    repair: 'use the cursor that the answer to this very query gave',
  }
}
