import { recordedArgs } from '../../catalog/index.ts'
import { WAYS, type Way } from '../../policy/index.ts'
import type { Problem } from '../config/index.ts'
import { ERRORS, type ErrorCode } from '../errors.ts'

/** What of a receipt a replay looks at. */
export interface RecordedReceipt {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly opened: number
  readonly outcome: string
  readonly code: ErrorCode | undefined
  /** The axes of its reasons. */
  readonly axes: readonly string[]
  readonly door: Way
  readonly grant: string
  readonly task: string | undefined
  readonly person: string | undefined
  readonly method: string
  readonly url: string
  /** Undefined where it was refused before it was understood. */
  readonly call: RecordedCall | undefined
}

/** What was called. */
export interface RecordedCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Takes from receipts what is needed of them; what is no receipt is told. */
export function readReceipts(
  values: readonly unknown[],
  path: string,
  problems: Problem[],
): readonly RecordedReceipt[] {
  return values.flatMap((value, at) => {
    const receipt = readReceipt(value)
    if (receipt !== undefined) return [receipt]
    const where = values.length === 1 ? path : `${path}[${at}]`
    problems.push({ path: where, got: 'no receipt', repair: 'export it with `ledger list --json`' })
    return []
  })
}

function readReceipt(value: unknown): RecordedReceipt | undefined {
  if (!isObject(value)) return undefined
  const { id, outcome, door, upstream } = value
  const opened = Date.parse(String(value['opened']))
  const way = WAYS.find((known) => known === door)
  const { method, url } = isObject(upstream) ? upstream : {}
  if (!isText(id) || !isText(outcome) || way === undefined || Number.isNaN(opened)) return undefined
  return {
    id,
    opened,
    outcome,
    code: codeOf(value['code']),
    axes: axesOf(value['reasons']),
    door: way,
    grant: textOr(value['grant'], ''),
    task: textOr(value['task'], undefined),
    person: textOr(value['person'], undefined),
    method: textOr(method, ''),
    url: textOr(url, ''),
    call: callOf(value),
  }
}

function callOf({ tool, envelope }: Record<string, unknown>): RecordedCall | undefined {
  if (!isText(tool) || !isObject(envelope)) return undefined
  const { args = {} } = envelope
  return isObject(args) ? { tool, args: recordedArgs(args) } : undefined
}

function axesOf(reasons: unknown): readonly string[] {
  return Array.isArray(reasons)
    ? reasons.flatMap((reason: unknown) => (isObject(reason) ? [String(reason['axis'])] : []))
    : []
}

function codeOf(code: unknown): ErrorCode | undefined {
  return isText(code) && Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return isText(value) ? value : otherwise
}
