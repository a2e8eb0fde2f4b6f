import { InvalidRequest } from './invalid.ts'
const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** The form of a caveat's date: UTC, whole seconds. */
function stamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}

function durationOf(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined || unit === undefined
    ? undefined
    : Number(amount) * (UNITS[unit] ?? Number.NaN)
}

/** `2026-12-31` and `2026-12-31T10:00:00Z`; Date.parse alone would take half the world's spellings. */
function dateOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$/.test(text)) return undefined
  const time = Date.parse(text)
  const real = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10))
  return real ? time : undefined
}

/**
 * The date of an `expires` line: from a duration (`30s`, `15m`, `2h`, `7d`) counted from `now`,
 * or from a date in UTC. Throws InvalidRequest on anything else and on what has passed.
 */
export function expiryOf(text: string, now: number): string {
  const duration = durationOf(text)
  const time = duration === undefined ? dateOf(text) : now + duration
  if (time === undefined) {
    throw new InvalidRequest(
      `expires: got \`${text}\`; write a duration such as 30s, 15m, 2h or 7d, or a date such as 2027-01-31T12:00:00Z`,
    )
  }
  if (time <= now) throw new InvalidRequest(`expires: \`${text}\` has passed; name a later time`)
  return stamp(time)
}
