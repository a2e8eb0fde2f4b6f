import type { LedgerRecord, Receipt } from '../port.ts'

/** The order in which a receipt shows its fields; others follow behind. */
const FIELDS = [
  'id',
  'seq',
  'opened',
  'closed',
  'origin',
  'door',
  'task',
  'grant',
  'link',
  'person',
  'keys',
  'envelope',
  'tool',
  'model',
  'upstream',
  'outcome',
  'ran',
  'code',
  'reasons',
  'status',
  'request',
  'response',
  'projected',
  'timing',
  'policy',
] as const

/** Members that place a record in its log; they are no part of a receipt. */
const FRAME = new Set(['kind', 'n', 'intent'])

/** Joins the records of one exchange; `result` is undefined for a refusal, and while the exchange is open. */
export function joinReceipt(
  seq: number,
  intent: LedgerRecord,
  result: LedgerRecord | undefined,
): Receipt {
  const outcome = outcomeOf(intent, result)
  const id = typeof intent.id === 'string' ? intent.id : ''
  const joined: Record<string, unknown> = { ...merge(intent, result ?? {}), id, seq, outcome }
  const names = new Set<string>([...FIELDS, ...Object.keys(joined)])
  const entries = [...names]
    .filter((name) => name in joined && !FRAME.has(name))
    .map((name) => [name, joined[name]])
  return { ...(Object.fromEntries(entries) as LedgerRecord), id, seq, outcome }
}

const OUTCOMES = ['allowed', 'refused', 'failed', 'gone', 'unknown'] as const

export function outcomeOf(
  intent: LedgerRecord,
  result: LedgerRecord | undefined,
): Receipt['outcome'] {
  const named = (result ?? intent).outcome
  const known = OUTCOMES.find((outcome) => outcome === named)
  if (known !== undefined) return known
  if (result !== undefined) return 'unknown'
  return intent.kind === 'refusal' ? 'refused' : 'open'
}

function merge(intent: LedgerRecord, result: LedgerRecord): LedgerRecord {
  const joined: Record<string, unknown> = { ...intent }
  for (const [name, value] of Object.entries(result)) joined[name] = joinField(joined[name], value)
  return joined
}

/** The outcome's field wins; where both have an object (such as `upstream`), its members are joined. */
export function joinField(former: unknown, value: unknown): unknown {
  if (value === undefined) return former
  return isObject(former) && isObject(value) ? { ...former, ...value } : value
}

/** A record's own code, or that of its first reason. */
export function codeOf({ code, reasons }: LedgerRecord): string | null {
  const first: unknown = Array.isArray(reasons) ? reasons[0] : undefined
  return text(code) ?? (isObject(first) ? text(first.code) : null)
}

export function isObject(value: unknown): value is LedgerRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
