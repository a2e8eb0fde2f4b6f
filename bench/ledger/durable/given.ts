import type { LedgerRecord } from '../../../adapters/ledger/port.ts'
import { exchangeAt } from '../receipts.ts'

/** A record with its JSON, which the gateway has made when it comes to the ledger. */
export interface Text {
  readonly record: LedgerRecord
  readonly json: string
}

/** A receipt as one record, and as the two that a call has. */
export interface Given {
  readonly whole: Text
  readonly intent: Text
  readonly outcome: Text
}

/** So many are made before the time begins, and given again and again. */
const RECEIPTS = 10_000

const ALL: readonly Given[] = Array.from({ length: RECEIPTS }, (_, n) => {
  const { intent, outcome } = exchangeAt(n)
  const whole = { ...intent, ...outcome }
  return { whole: textOf(whole), intent: textOf(intent), outcome: textOf(outcome) }
})

function textOf(record: LedgerRecord): Text {
  return { record, json: JSON.stringify(record) }
}

/** The receipt that callers bring at a place. */
export function givenAt(n: number): Given {
  const given = ALL[n % RECEIPTS]
  if (given === undefined) throw new RangeError(`receipt: got \`${n}\`, give a whole number`)
  return given
}
