import { hideGot, showGot } from '../got.ts'
import type { Report } from '../report.ts'

// Fields that belong to the connection, not to the call; a key in one of them would break it.
const NOT_FOR_KEYS =
  /^(?:host|content-length|transfer-encoding|connection|upgrade|te|trailer|keep-alive|proxy-.*|expect)$/i

/** Reports a header that no key may stand in. */
export function checkHeader(header: string, at: string, report: Report): boolean {
  if (!NOT_FOR_KEYS.test(header)) return true
  report.add(at, showGot(header), 'name a header of the call: this one belongs to the connection')
  return false
}

/** Reports a format without its one slot: it may be the key itself. */
export function checkFormat(format: string, at: string, report: Report): boolean {
  if (typeof format !== 'string' || format.split('{}').length === 2) return true
  report.add(at, hideGot(format), 'write `{}` once where the key belongs: `Bearer {}`')
  return false
}
