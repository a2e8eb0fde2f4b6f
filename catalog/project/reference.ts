import { createAggregator } from '../want/aggregate.ts'
import { CONTAINER, passes, type Lookup } from '../want/filter.ts'
import { compareKeys, orderKeys } from '../want/order.ts'
import { pageCursors, type PageCursors } from '../want/page.ts'
import { parsePath, type Step } from '../want/path.ts'
import { elementOf, memberOf, type SelectNode } from '../want/select.ts'
import { isVisible } from './capture.ts'
import { ProjectionFault } from './fault.ts'
import { layoutOf, type InputForm } from './layout.ts'
import type { Projection, RowPlan } from './projection.ts'

/** What a projection gives, as values. */
export interface ReferenceResult {
  readonly result: unknown
  /** The page's cursors where they are no members of the result. */
  readonly page?: PageCursors
}

/**
 * The plain meaning of a projection over a parsed document: what the projector does over bytes.
 * The documents of an `ndjson` input come as a list. Forms are not its concern: where rows are
 * lines or a table, the result is their list.
 */
export function projectReference(
  value: unknown,
  projection: Projection,
  input: InputForm = 'json',
): ReferenceResult {
  const layout = layoutOf(projection, input)
  const found = findRows(value, projection)
  if (found === undefined) {
    if (projection.needsRows) throw new ProjectionFault('no_rows', 0)
    return { result: pick(value, projection.whole) ?? null }
  }
  const { plan, rows, path } = found
  const { want = {}, where = {} } = projection.want
  const passed = rows.filter((row) => passes(where, lookupIn(row, plan)))
  if (layout === 'figures') {
    const aggregator = createAggregator(want.aggregate ?? { count: true })
    for (const row of passed) aggregator.add(lookupIn(row, plan))
    return { result: aggregator.result() }
  }
  const picked = onPage(sorted(passed, plan, projection), projection)
    .map((row) => pick(row, plan.row))
    .filter((row) => row !== undefined)
  if (layout === 'first') return { result: picked[0] ?? null }
  const page = pageOf(passed.length, projection)
  if (layout === 'in_place' && path.length > 0) {
    return { result: around(value, plan.root, { path, rows: picked, page }) }
  }
  return { result: picked, ...(page && { page }) }
}

interface FoundRows {
  readonly plan: RowPlan
  readonly rows: readonly unknown[]
  readonly path: readonly string[]
}

function findRows(value: unknown, projection: Projection): FoundRows | undefined {
  if (Array.isArray(value)) return { plan: projection.atRoot, rows: value, path: [] }
  const path = projection.rows
  if (path === undefined) return undefined
  const rows = path.reduce<unknown>((at, name) => ownMember(at, name), value)
  return Array.isArray(rows) ? { plan: projection.atPath, rows, path } : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function ownMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** What of a value stays at `node`; undefined where it is left out. */
function pick(value: unknown, node: SelectNode): unknown {
  if (Array.isArray(value)) {
    if (!node.array) return undefined
    const element = elementOf(node)
    return value.map((item) => pick(item, element)).filter((item) => item !== undefined)
  }
  if (!isObject(value)) return node.scalar ? value : undefined
  if (!node.object) return undefined
  const members = Object.entries(value).map(
    ([name, member]) => [name, pick(member, memberOf(node, name))] as const,
  )
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

interface Rows {
  readonly path: readonly string[]
  readonly rows: readonly unknown[]
  readonly page: PageCursors | undefined
}

/** The document with its rows replaced, and the page's cursors beside them. */
function around(value: unknown, node: SelectNode, { path, rows, page }: Rows): unknown {
  const [next, ...rest] = path
  if (next === undefined) return node.array ? rows : undefined
  if (!isObject(value) || !node.object) return undefined
  const cursors = rest.length === 0 ? page : undefined
  const members = Object.entries(value).map(([name, member]) => {
    const child = memberOf(node, name)
    const isWay = name === next
    return [name, isWay ? around(member, child, { path: rest, rows, page }) : pick(member, child)]
  })
  const kept = members.filter(([, member]) => member !== undefined)
  return { ...Object.fromEntries(kept), ...cursors }
}

function lookupIn(row: unknown, plan: RowPlan): Lookup {
  return (path) => {
    const steps = plan.relative(parsePath(path) ?? [])
    if (!isVisible(steps, plan.ceiling)) return []
    const values = steps.reduce<readonly unknown[]>(
      (found, step) => found.flatMap((item) => follow(item, step)),
      [row],
    )
    return values.map((value) => (typeof value === 'object' && value !== null ? CONTAINER : value))
  }
}

function follow(value: unknown, step: Step): readonly unknown[] {
  if (step.kind === 'each') return Array.isArray(value) ? value : []
  if (step.kind === 'any' || !isObject(value) || !Object.hasOwn(value, step.name)) return []
  return [value[step.name]]
}

function sorted(
  rows: readonly unknown[],
  plan: RowPlan,
  { order }: Projection,
): readonly unknown[] {
  return rows
    .map((row) => ({ row, keys: orderKeys(order, lookupIn(row, plan)) }))
    .toSorted((one, two) => compareKeys(order, one.keys, two.keys))
    .map(({ row }) => row)
}

function onPage(rows: readonly unknown[], { window }: Projection): readonly unknown[] {
  return window === undefined ? rows : rows.slice(window.offset, window.offset + window.limit)
}

function pageOf(passed: number, projection: Projection): PageCursors | undefined {
  const { window, want } = projection
  if (window === undefined || want.want?.shape === 'first') return undefined
  return pageCursors(window, passed > window.offset + window.limit, projection)
}
