import type { ReceiptQuery } from '../adapters/ledger/port.ts'
import { EXIT, Fault } from './exit.ts'

/** What receipts can be filtered by; `ledger list` and `ledger tail` share it. */
export const FILTERS = {
  task: { type: 'string', requiresArg: true, describe: 'a task; its sub-tasks are covered' },
  tool: { type: 'string', requiresArg: true, describe: 'a tool’s name' },
  outcome: {
    type: 'string',
    choices: ['allowed', 'refused', 'failed', 'gone', 'unknown', 'open'],
    requiresArg: true,
    describe: 'how it ended',
  },
  grant: { type: 'string', requiresArg: true, describe: 'a grant’s id' },
  since: {
    type: 'string',
    requiresArg: true,
    describe: 'a duration back from now (15m, 2h, 7d) or a date',
  },
} as const

export interface FilterValues {
  readonly task: string | undefined
  readonly tool: string | undefined
  readonly outcome: string | undefined
  readonly grant: string | undefined
  readonly since: string | undefined
}

const UNITS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 }

/** A duration back from now, or a date, as RFC 3339; `name` is what it was given as. */
export function timeOf(name: string, text: string, now: number): string {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const time = amount === undefined ? Date.parse(text) : now - Number(amount) * (UNITS[unit] ?? 0)
  if (Number.isNaN(time) || (amount === undefined && !/^\d{4}-\d{2}-\d{2}/.test(text))) {
    throw new Fault(
      EXIT.usage,
      `${name}: got \`${text}\``,
      'write a duration such as 15m, 2h or 7d, or a date such as 2027-01-31T12:00:00Z',
    )
  }
  return new Date(time).toISOString()
}

/** The filters as the index takes them. */
export function receiptQuery(values: FilterValues, now: number): ReceiptQuery {
  const { task, tool, outcome, grant, since } = values
  const members = {
    task,
    tool,
    outcome,
    grant,
    since: since === undefined ? undefined : timeOf('since', since, now),
  }
  return {
    where: Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
  }
}
