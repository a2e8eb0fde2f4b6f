import type { ReceiptQuery } from '../../adapters/ledger/port.ts'
import { Refusal, type RefusalReason } from '../refusal.ts'

const FILTERS = ['outcome', 'tool', 'task', 'grant', 'code', 'host', 'since'] as const
const DEFAULT_LIMIT = 100
const LONGEST = 1024
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

/** A query whose limit is always given. */
export type BoundedQuery = ReceiptQuery & { readonly limit: number }

type Check = (text: string) => string | undefined

// One row for each parameter: the repair where its value does not fit.
const CHECKS: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(FILTERS.map((name) => [name, checkText])),
  since: (text) => (isTime(text) ? undefined : 'write a time like `2026-01-31T12:00:00Z`'),
  order: (text) => (text === 'asc' || text === 'desc' ? undefined : 'write `asc` or `desc`'),
  limit: (text) => checkNumber(text, 1, 1000),
  after: (text) => checkNumber(text, 0, Number.MAX_SAFE_INTEGER),
}

/** Reads the query string of a list of receipts; unknown and repeated parameters are refused, all at once. */
export function readReceiptQuery(query: unknown): BoundedQuery {
  const given = Object.entries(query as Record<string, unknown>)
  const unknown = given.filter(([name]) => !Object.hasOwn(CHECKS, name))
  if (unknown.length > 0)
    throw new Refusal(
      'unknown_field',
      unknown.map(([name]) => unknownReason(name)),
    )
  const wrong = given.flatMap(([name, value]) => judge(name, value))
  if (wrong.length > 0) throw new Refusal('malformed_request', wrong)
  const values = Object.fromEntries(given) as Readonly<Record<string, string>>
  return {
    where: Object.fromEntries(
      FILTERS.flatMap((name) => (name in values ? [[name, values[name]]] : [])),
    ),
    order: values['order'] === 'asc' ? 'asc' : 'desc',
    limit: Number(values['limit'] ?? DEFAULT_LIMIT),
    ...(values['after'] === undefined ? {} : { after: Number(values['after']) }),
  }
}

function judge(name: string, value: unknown): readonly RefusalReason[] {
  if (typeof value !== 'string')
    return [{ axis: name, got: 'several values', repair: 'give it once' }]
  const repair = CHECKS[name]?.(value)
  return repair === undefined ? [] : [{ axis: name, got: `\`${value.slice(0, 80)}\``, repair }]
}

function unknownReason(name: string): RefusalReason {
  const repair = `use: ${Object.keys(CHECKS).join(', ')}`
  return { axis: name.slice(0, 80), got: 'an unknown parameter', repair }
}

function checkText(text: string): string | undefined {
  const fits = text !== '' && text.length <= LONGEST
  return fits ? undefined : `write a text of 1 to ${LONGEST} characters`
}

function checkNumber(text: string, least: number, most: number): string | undefined {
  const fits = /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most
  return fits ? undefined : `write a whole number from ${least} to ${most}`
}

function isTime(text: string): boolean {
  return TIME.test(text) && !Number.isNaN(Date.parse(text))
}
