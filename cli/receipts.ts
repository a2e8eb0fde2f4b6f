import type { LedgerIndex, Receipt } from '../adapters/ledger/port.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

/**
 * Waits until the index holds what the log holds, so that the call just made is there. Where the gateway is behind
 * with it for seconds, that is said, and what is indexed so far has to do.
 */
export async function catchUp(index: LedgerIndex, { err }: Terminal): Promise<void> {
  try {
    await index.sync()
  } catch (error) {
    err.line(`narrowgate: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '-'
}

/** The codes of a refusal: its own and those of its reasons, each once. */
export function codesOf(receipt: Receipt): readonly string[] {
  const reasons = Array.isArray(receipt['reasons']) ? receipt['reasons'] : []
  const codes = [receipt['code'], ...reasons.map((reason: unknown) => member(reason, 'code'))]
  return [...new Set(codes.filter((code) => typeof code === 'string'))]
}

/** `48210->96`, or the bytes that were delivered. */
function bytesOf(receipt: Receipt): string {
  const projected: unknown = receipt['projected']
  if (Array.isArray(projected)) return projected.map(text).join('->')
  return text(member(receipt['response'], 'bytes'))
}

function statusOf(receipt: Receipt): string {
  const [code] = codesOf(receipt)
  return receipt.outcome === 'refused' && code !== undefined ? code : text(receipt['status'])
}

const WIDEST_URL = 60

function urlOf(receipt: Receipt): string {
  const url = text(member(receipt['upstream'], 'url'))
  return url.length > WIDEST_URL ? `${url.slice(0, WIDEST_URL - 1)}…` : url
}

function rowOf(receipt: Receipt): readonly string[] {
  return [
    text(receipt['opened']).slice(0, 19),
    receipt.outcome,
    statusOf(receipt),
    text(receipt['tool']),
    text(member(receipt['upstream'], 'method')),
    urlOf(receipt),
    bytesOf(receipt),
    text(receipt['task']),
    receipt.id,
  ]
}

const HEAD = ['OPENED', 'OUTCOME', 'STATUS', 'TOOL', 'METHOD', 'URL', 'BYTES', 'TASK', 'RECEIPT']

/** Receipts as a table for people. */
export function receiptTable(receipts: readonly Receipt[]): string {
  return table(HEAD, receipts.map(rowOf))
}

/** One receipt as one line, for following. */
export function receiptLine(receipt: Receipt): string {
  return table([], [rowOf(receipt)]).trim()
}
