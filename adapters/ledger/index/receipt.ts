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

/** What the index can filter by. */
export interface ReceiptColumns {
  readonly opened: string | null
  readonly outcome: Receipt['outcome']
  readonly tool: string | null
  readonly task: string | null
  readonly grant: string | null
  readonly code: string | null
  readonly host: string | null
}

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

/** The filter's columns of an exchange. */
export function columnsOf(intent: LedgerRecord, result: LedgerRecord | undefined): ReceiptColumns {
  // Field by field: joining whole records would cost the indexer more than all its columns.
  const last = result ?? {}
  const upstream = joinField(intent.upstream, last.upstream)
  return {
    opened: text(intent.opened),
    outcome: outcomeOf(intent, result),
    tool: text(joinField(intent.tool, last.tool)),
    task: text(joinField(intent.task, last.task)),
    grant: text(joinField(intent.grant, last.grant)),
    code: codeOf(last) ?? codeOf(intent),
    host: hostOf(upstream, joinField(intent.envelope, last.envelope)),
  }
}

/** Whether an outcome may change columns of its intent other than the outcome and the code. */
export function changesColumns(result: LedgerRecord): boolean {
  return ['tool', 'task', 'grant', 'upstream', 'envelope'].some((name) => name in result)
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
function joinField(former: unknown, value: unknown): unknown {
  if (value === undefined) return former
  return isObject(former) && isObject(value) ? { ...former, ...value } : value
}

function hostOf(upstream: unknown, envelope: unknown): string | null {
  const url = isObject(upstream) ? text(upstream.url) : null
  if (url !== null && URL.canParse(url)) return new URL(url).hostname
  const args = isObject(envelope) ? envelope.args : undefined
  return isObject(args) ? text(args.host) : null
}

/** A record's own code, or that of its first reason. */
export function codeOf({ code, reasons }: LedgerRecord): string | null {
  const first: unknown = Array.isArray(reasons) ? reasons[0] : undefined
  return text(code) ?? (isObject(first) ? text(first.code) : null)
}

function isObject(value: unknown): value is LedgerRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
