import { columnsOf } from '../../../../adapters/ledger/index/columns.ts'
import type { Receipt } from '../../../../adapters/ledger/port.ts'
import type { FiguresQuery, Kept, KeptRow, ViewName, ViewQuery } from '../../../../catalog/index.ts'
import { bucketOf } from '../../../../catalog/views/values.ts'
import { createAggregator } from '../../../../catalog/want/aggregate.ts'
import { passes, type Lookup } from '../../../../catalog/want/filter.ts'
import { compareKeys } from '../../../../catalog/want/order.ts'

/** The plain meaning of a question: lists of objects in memory, and the grammar that answers are cut down by. */
export function plainAnswer(receipts: readonly Receipt[], query: ViewQuery): readonly KeptRow[] {
  const rows = rowsOf(query.view, receipts).filter((row) => passes(query.where, lookupIn(row)))
  return query.kind === 'rows' ? sorted(rows, query) : figures(rows, query)
}

function lookupIn(row: KeptRow): Lookup {
  return (path) => {
    const value = row[path] ?? null
    return value === null ? [] : [value]
  }
}

function sorted(rows: readonly KeptRow[], { order }: ViewQuery): readonly KeptRow[] {
  const terms = order.map(({ field, descending }) => ({ path: field, descending }))
  const keys = (row: KeptRow) => terms.map(({ path }) => row[path] ?? undefined)
  return rows.toSorted((one, two) => compareKeys(terms, keys(one), keys(two)))
}

function figures(rows: readonly KeptRow[], query: FiguresQuery): readonly KeptRow[] {
  const { by, count, figures } = query
  const asked: Record<string, string[]> = {}
  for (const { name, field } of figures) (asked[name] ??= []).push(field)
  const aggregator = createAggregator({
    ...asked,
    count: true,
    ...(by && { by: by.map(({ name }) => name) }),
  })
  for (const row of rows) {
    const groups = new Map(
      by?.map(({ name, field, unit }) => [
        name,
        unit === undefined ? row[field] : bucket(row[field], unit),
      ]),
    )
    aggregator.add((path) => {
      const value = (groups.has(path) ? groups.get(path) : row[path]) ?? null
      return value === null ? [] : [value]
    })
  }
  const result = aggregator.result() as Figured | Figured[]
  const flat = [result].flat().map(({ by, count: rows, ...named }) => ({
    ...Object.fromEntries(Object.entries(by ?? {}).map(([name, value]) => [`by.${name}`, value])),
    ...(count ? { count: rows } : {}),
    ...Object.fromEntries(
      Object.entries(named).flatMap(([name, fields]) =>
        Object.entries(fields).map(([field, value]) => [`${name}.${field}`, value]),
      ),
    ),
  }))
  return by === undefined ? flat : sorted(flat, query)
}

type Figured = { by?: Record<string, Kept>; count: number } & Record<string, Record<string, Kept>>

function bucket(time: Kept | undefined, unit: Parameters<typeof bucketOf>[0]): Kept {
  return typeof time === 'string' ? bucketOf(unit, time) : null
}

/** The latest first. */
function rowsOf(view: ViewName, receipts: readonly Receipt[]): readonly KeptRow[] {
  const rows = receipts
    .map((receipt): KeptRow => ({
      seq: receipt.seq,
      id: receipt.id,
      ...columnsOf(receipt, {}),
      outcome: receipt.outcome,
    }))
    .toSorted((one, two) => Number(two['seq']) - Number(one['seq']))
  switch (view) {
    case 'exchanges':
      return rows
    case 'turns':
      return rows.filter((row) => row['model'] !== null)
    case 'refusals':
      return rows.filter((row) => row['outcome'] === 'refused')
    case 'runs':
      return grouped(rows, 'run', (group) => ({
        tasks: distinct(group, 'task'),
        grants: distinct(group, 'grant'),
      }))
    case 'grants':
      return grouped(rows, 'grant', (group) => ({ tasks: distinct(group, 'task') }))
    case 'tasks':
      return grouped(rows, 'task', (group) => ({
        run: group[0]?.['run'] ?? null,
        grants: distinct(group, 'grant'),
      }))
  }
}

function grouped(
  rows: readonly KeptRow[],
  field: string,
  own: (group: readonly KeptRow[]) => KeptRow,
): readonly KeptRow[] {
  const groups = new Map<Kept, KeptRow[]>()
  for (const row of rows) {
    const key = row[field] ?? null
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups].map(([key, group]) => {
    const opened = group
      .flatMap((row) => row['opened'] ?? [])
      .map(String)
      .toSorted()
    const outcomes = ['allowed', 'refused', 'failed', 'gone', 'unknown', 'open'].map((name) => [
      name,
      group.filter((row) => row['outcome'] === name).length,
    ])
    const totals = ['request_bytes', 'response_bytes', 'delivered_bytes', 'ms'].map((name) => [
      name,
      group.reduce((sum, row) => sum + Number(row[name] ?? 0), 0),
    ])
    return {
      [field]: key,
      ...own(group),
      seq: group[0]?.['seq'] ?? null,
      opened: opened[0] ?? null,
      last: opened.at(-1) ?? null,
      calls: group.length,
      ...Object.fromEntries(outcomes),
      turns: group.filter((row) => row['model'] !== null).length,
      ...Object.fromEntries(totals),
    }
  })
}

function distinct(group: readonly KeptRow[], field: string): number {
  return new Set(group.flatMap((row) => row[field] ?? [])).size
}
