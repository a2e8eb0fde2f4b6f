import { refused, type Refused } from './refusal.ts'

/** A request target in origin form (RFC 9112 section 3.2.1), judged and unchanged. */
export interface CanonicalPath {
  readonly ok: true
  /** Path and query, byte for byte as they came. */
  readonly path: string
  /** The part before the query. */
  readonly pathname: string
  /** What follows the first `?`; undefined where there is none. */
  readonly query: string | undefined
  /** The path's segments, percent-decoded: an encoded separator stays inside its segment. */
  readonly segments: readonly string[]
}

// More levels of percent-encoding than this no honest client writes.
const MAX_LEVELS = 4
const BAD_ESCAPE = /%(?![0-9a-f]{2})/i
const ASCII_ESCAPE = /%([0-7][0-9a-f])/gi
const NOT_VISIBLE = /[^\x21-\x7e]/
const CONTROL = /[\x00-\x1f\x7f]/

/**
 * Judges a path and query without changing a byte. Refused is what an upstream might resolve to
 * another path than the one that policy saw: dot segments in any spelling, backslashes, control
 * bytes, and a leading `//`, which some programs read as an authority.
 */
export function canonicalPath(target: string): CanonicalPath | Refused {
  if (!target.startsWith('/')) return refused('the path does not start with a slash')
  if (target.startsWith('//')) return refused('the path starts with two slashes')
  if (NOT_VISIBLE.test(target)) return refused('the path holds a byte that must be percent-encoded')
  if (target.includes('#')) return refused('the path holds a fragment')
  const mark = target.indexOf('?')
  const pathname = mark < 0 ? target : target.slice(0, mark)
  if (BAD_ESCAPE.test(pathname)) return refused('the path has a bad percent escape')
  const raws = pathname.slice(1).split('/')
  // Most paths have no escape, and then each segment is its own text.
  const fault = pathname.includes('%') ? firstFault(raws) : plainFault(pathname, raws)
  if (fault !== undefined) return refused(fault)
  const segments = pathname.includes('%') ? raws.map((raw) => decodeURIComponent(raw)) : raws
  const query = mark < 0 ? undefined : target.slice(mark + 1)
  return { ok: true, path: target, pathname, query, segments }
}

function plainFault(pathname: string, segments: readonly string[]): string | undefined {
  if (pathname.includes('\\')) return 'the path holds a backslash'
  return segments.some(isDots) ? 'the path holds a dot segment' : undefined
}

function firstFault(raws: readonly string[]): string | undefined {
  for (const raw of raws) {
    const fault = isUtf8(raw) ? segmentFault(raw) : 'the path’s percent escapes are not UTF-8'
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Looks at every level of percent-encoding, since an upstream behind another one decodes twice. */
function segmentFault(raw: string): string | undefined {
  let text = raw
  for (let level = 0; level <= MAX_LEVELS; level++) {
    if (text.includes('\\')) return 'the path holds a backslash'
    if (CONTROL.test(text)) return 'the path holds a control byte'
    if (text.split('/').some(isDots)) return 'the path holds a dot segment'
    const next = text.replaceAll(ASCII_ESCAPE, (_, hex: string) => fromHex(hex))
    if (next === text) return undefined
    text = next
  }
  return 'the path is percent-encoded too many times'
}

/** `.` and `..`, also with the parameters (`..;x`) that servlet containers cut off. */
function isDots(part: string): boolean {
  if (!part.startsWith('.')) return false
  const end = part.indexOf(';')
  const name = end < 0 ? part : part.slice(0, end)
  return name === '.' || name === '..'
}

function fromHex(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}

function isUtf8(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
