import type { ReceiptQuery } from '../../adapters/ledger/port.ts'
import { oneOf, readParameters, wholeNumber, type Check } from '../parameters.ts'

/** What receipts can be filtered by. */
export const FILTERS = ['outcome', 'tool', 'task', 'grant', 'code', 'host', 'since'] as const
type Filter = (typeof FILTERS)[number]

const DEFAULT_LIMIT = 100
const LONGEST = 1024
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

/** A query whose limit is always given. */
export type BoundedQuery = ReceiptQuery & { readonly limit: number }

// One row for each parameter.
const CHECKS = {
  ...(Object.fromEntries(FILTERS.map((name) => [name, checkText])) as Record<Filter, Check>),
  since: (text: string) => (isTime(text) ? undefined : 'write a time like `2026-01-31T12:00:00Z`'),
  order: oneOf('asc', 'desc'),
  limit: wholeNumber(1, 1000),
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER),
}

/** Reads the query string of a list of receipts; unknown and repeated parameters are refused, all at once. */
export function readReceiptQuery(query: unknown): BoundedQuery {
  const values = readParameters(query, CHECKS)
  return {
    where: Object.fromEntries(
      FILTERS.flatMap((name) => (name in values ? [[name, values[name]]] : [])),
    ),
    order: values.order === 'asc' ? 'asc' : 'desc',
    limit: Number(values.limit ?? DEFAULT_LIMIT),
    ...(values.after === undefined ? {} : { after: Number(values.after) }),
  }
}

function checkText(text: string): string | undefined {
  const fits = text !== '' && text.length <= LONGEST
  return fits ? undefined : `write a text of 1 to ${LONGEST} characters`
}

function isTime(text: string): boolean {
  return TIME.test(text) && !Number.isNaN(Date.parse(text))
}
