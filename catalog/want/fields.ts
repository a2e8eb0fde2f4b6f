import { FIGURE_NAMES } from './aggregate.ts'
import {
  below,
  boolean,
  integer,
  isMembers,
  list,
  members,
  oneOf,
  text,
  value,
  type Check,
  type Members,
  type Report,
} from '../check.ts'
import { parsePath, parseSelector } from './path.ts'

const MAX_NESTING = 16
const MAX_PAGE = 10_000

/** Whether a text is a path to values, which `*` is not part of. */
function isFieldPath(got: unknown): boolean {
  return typeof got === 'string' && parsePath(got)?.every((step) => step.kind !== 'any') === true
}

const fieldPath = value(isFieldPath, 'write a path such as user.login or labels[].name')

const selector = value(
  (got) => typeof got === 'string' && parseSelector(got) !== undefined,
  'write a path such as name, user.login or items[].id, with a leading - to leave it out',
)

const orderTerm = value(
  (got) => typeof got === 'string' && isFieldPath(got.replace(/^-/, '')),
  'write a path, with a leading - for descending',
)

const comparable = value(isComparable, 'write a text, number, boolean or null')

function isComparable(got: unknown): boolean {
  return got === null || ['string', 'number', 'boolean'].includes(typeof got)
}

const ordered = value(
  (got) => typeof got === 'string' || typeof got === 'number',
  'write a text or a number',
)

const tests = members({
  eq: comparable,
  ne: comparable,
  lt: ordered,
  lte: ordered,
  gt: ordered,
  gte: ordered,
  in: list(comparable),
  glob: text,
  prefix: text,
  exists: boolean,
})

/** Checks a filter; its nesting is bounded, since it is walked by recursion. */
const where: Check = (got, path, report) => whereAt(got, path, { report, depth: 0 })

interface Nesting {
  readonly report: Report
  readonly depth: number
}

function whereAt(got: unknown, path: string, { report, depth }: Nesting): void {
  if (!isMembers(got)) return report.malformed(path, got, 'write an object of paths and values')
  if (depth > MAX_NESTING) return report.malformed(path, got, 'nest less')
  const deeper = { report, depth: depth + 1 }
  for (const [key, member] of Object.entries(got)) {
    const at = below(path, key)
    if (key === 'not') whereAt(member, at, deeper)
    else if (key === 'and' || key === 'or') {
      list((part, place) => whereAt(part, place, deeper))(member, at, report)
    } else if (!isFieldPath(key)) fieldPath(key, at, report)
    else if (!isComparable(member)) tests(member, at, report)
  }
}

const paths = list(fieldPath)

const aggregate = members({
  count: boolean,
  by: paths,
  ...Object.fromEntries(FIGURE_NAMES.map((name) => [name, paths])),
})

/** The checks of the fields that a want and an envelope share. */
export const WANT_CHECKS = {
  where,
  select: list(selector),
  order: list(orderTerm),
  page: members({ limit: integer(1, MAX_PAGE), cursor: text }),
  want: members({
    shape: oneOf(['rows', 'first', 'count', 'receipt']),
    aggregate,
    format: oneOf(['json', 'ndjson', 'csv']),
    max_bytes: integer(1, Number.MAX_SAFE_INTEGER),
  }),
} satisfies Record<string, Check>

/** What only the fields together show. */
export function checkTogether(fields: Members, path: string, report: Report): void {
  const result = fields['want']
  if (!isMembers(result) || result['format'] === undefined || result['format'] === 'json') return
  const at = below(path, 'want.format')
  if (result['aggregate'] !== undefined || result['shape'] === 'count') {
    return report.malformed(at, result['format'], 'use json, the one form of figures')
  }
  if (result['format'] === 'csv' && !namesColumns(fields['select'])) {
    report.malformed(at, 'csv', 'name the columns in select, without *')
  }
}

function namesColumns(select: unknown): boolean {
  const entries = Array.isArray(select) ? (select as readonly string[]) : []
  const columns = entries.filter((entry) => !entry.startsWith('-'))
  return columns.length > 0 && !columns.some((entry) => entry.includes('*'))
}
