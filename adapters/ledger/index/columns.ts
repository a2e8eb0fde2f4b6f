import { EXCHANGE_FIELDS, keptText, keptTime, type Kept } from '../../../catalog/views/index.ts'
import type { LedgerRecord } from '../port.ts'
import { codeOf, isObject, joinField, outcomeOf } from './receipt.ts'

type Field = (typeof EXCHANGE_FIELDS)[number]

/** What an index keeps of a receipt in columns, besides its number, its id and its text. */
export type Column = Exclude<Field, 'seq' | 'id'>

export type Columns = Readonly<Record<Column, Kept>>

/** The columns, in the order in which statements name them. */
export const COLUMNS: readonly Column[] = EXCHANGE_FIELDS.filter(
  (name): name is Column => name !== 'seq' && name !== 'id',
)

/**
 * What an outcome says that comes in a later step than its intent: null in a column leaves it as it is. That is the
 * same as joining the records first, since an outcome's fields win.
 */
export function endColumnsOf(result: LedgerRecord): Columns {
  const columns = columnsOf({}, result)
  return {
    ...columns,
    times: 'aggregated' in result ? columns.times : null,
    noise: 'noise' in result ? columns.noise : null,
    shadowed: 'would_refuse' in result ? columns.shadowed : null,
  }
}

/** The columns of an exchange; `result` is undefined for a refusal, and while the exchange is open. */
export function columnsOf(intent: LedgerRecord, result: LedgerRecord | undefined): Columns {
  // Field by field: joining whole records would cost the indexer more than all its columns.
  const last = result ?? {}
  const get = (name: string) => joinField(intent[name], last[name])
  const upstream = members(get('upstream'))
  const task = text(get('task'))
  return {
    opened: time(get('opened')),
    closed: time(get('closed')),
    origin: text(get('origin')),
    door: text(get('door')),
    peer: text(get('peer')),
    task,
    run: task === null ? null : (task.split('/', 1)[0] ?? null),
    grant: text(get('grant')),
    link: text(get('link')),
    person: text(get('person')),
    key: text(get('keys')),
    tool: text(get('tool')),
    model: text(get('model')),
    method: text(upstream['method']),
    host: hostOf(upstream, get('envelope')),
    url: text(upstream['url']),
    outcome: outcomeOf(intent, result),
    ran: ranOf(get('ran')),
    code: text(codeOf(last) ?? codeOf(intent)),
    ...reasonsOf(get('reasons')),
    status: whole(get('status')),
    ...bytesOf(get('request'), get('response'), get('delivered')),
    ...timesOf(members(get('timing'))),
    times: whole(members(get('aggregated'))['total']) ?? 1,
    noise: Number(get('noise') === true),
    shadowed: Number(get('would_refuse') !== undefined),
    policy: text(get('policy')),
  }
}

function hostOf(upstream: LedgerRecord, envelope: unknown): string | null {
  const url = text(upstream['url'])
  if (url !== null && URL.canParse(url)) return text(new URL(url).hostname)
  return text(members(members(envelope)['args'])['host'])
}

function ranOf(ran: unknown): string | null {
  if (typeof ran === 'boolean') return ran ? 'yes' : 'no'
  return ran === 'unknown' ? ran : null
}

function reasonsOf(reasons: unknown): Pick<Columns, 'axis' | 'axes' | 'caveat'> {
  const all = Array.isArray(reasons) ? reasons.map(members) : []
  const axes = [...new Set(all.flatMap(({ axis }) => text(axis) ?? []))]
  return {
    axis: text(all[0]?.['axis']),
    axes: axes.length === 0 ? null : axes.join(','),
    caveat: text(all[0]?.['caveat']),
  }
}

function bytesOf(
  ...bodies: readonly [request: unknown, response: unknown, delivered: unknown]
): Pick<Columns, 'request_bytes' | 'response_bytes' | 'delivered_bytes'> {
  const [request, response, delivered] = bodies.map((body) => whole(members(body)['bytes']))
  return {
    request_bytes: request ?? null,
    response_bytes: response ?? null,
    delivered_bytes: delivered ?? response ?? null,
  }
}

const OWN_STAGES = ['token', 'envelope', 'policy', 'keys', 'intent'] as const

/** Whole microseconds: figures over them are exact in any order. */
function timesOf(timing: LedgerRecord): Pick<Columns, 'ms' | 'upstream_ms' | 'own_ms'> {
  return {
    ms: sum(Object.values(timing)),
    upstream_ms: sum([timing['upstream']]),
    own_ms: sum(OWN_STAGES.map((stage) => timing[stage])),
  }
}

function sum(times: readonly unknown[]): number | null {
  const known = times.filter((ms) => typeof ms === 'number' && ms >= 0 && ms < 1e12)
  if (known.length === 0) return null
  return known.reduce<number>((total, ms) => total + Math.round(Number(ms) * 1000), 0)
}

function members(value: unknown): LedgerRecord {
  return isObject(value) ? value : {}
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? keptText(value) : null
}

function time(value: unknown): string | null {
  return (typeof value === 'string' ? keptTime(value) : undefined) ?? null
}

function whole(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null
}

/** The columns' values, in the order of `COLUMNS`. */
export function valuesOf(columns: Columns): readonly Kept[] {
  return COLUMNS.map((name) => columns[name])
}
