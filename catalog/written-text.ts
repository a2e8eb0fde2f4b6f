import type { Report } from './check.ts'
import { WrittenNumber } from './numbers.ts'

const LONE_SURROGATE = /\p{Surrogate}/u

/** The text of a scalar outside JSON; undefined for what has none there, which is reported. */
export function scalarText(path: string, value: unknown, report: Report): string | undefined {
  if (value instanceof WrittenNumber) return value[Symbol.toPrimitive]()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string' && !LONE_SURROGATE.test(value)) return value
  report.malformed(path, value, 'write a text of whole characters, a number, true or false')
  return undefined
}

/** Percent-encoded as one segment, or as a name or value of a query or a form (RFC 3986, 2.3). The text is Unicode. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
