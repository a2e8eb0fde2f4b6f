import { below, isMembers, value, type Check, type Report } from '../check.ts'

/** One line: no control characters, no half of a character. */
const LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]*$/u
/** Lines may end and tabs may stand in it. */
const LINES = /^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff]*$/u

interface Length {
  readonly least?: number
  readonly most: number
}

/** One line of so many characters. */
export function line({ least = 0, most }: Length): Check {
  const repair = `write one line of ${least} to ${most} characters, without control characters`
  return value((got) => isText(got, LINE, { least, most }), repair)
}

/** A text of so many characters, which may have many lines. */
export function lines({ least = 0, most }: Length): Check {
  const repair = `write a text of ${least} to ${most} characters, its lines ended by LF alone`
  return value((got) => isText(got, LINES, { least, most }), repair)
}

function isText(got: unknown, pattern: RegExp, { least = 0, most }: Length): boolean {
  if (typeof got !== 'string' || !pattern.test(got)) return false
  const { length } = Array.from(got)
  return length >= least && length <= most
}

/** A text that matches. */
export function matching(pattern: RegExp, repair: string): Check {
  return value((got) => typeof got === 'string' && pattern.test(got), repair)
}

export const slug = matching(
  /^(?=.{1,100}$)[a-z0-9]+(?:-[a-z0-9]+)*$/,
  'write 1 to 100 lower-case letters, digits and single hyphens between them',
)

export const word = matching(
  /^[a-z0-9][a-z0-9-]{0,39}$/,
  'write 1 to 40 lower-case letters, digits and hyphens',
)

export const sha256 = matching(/^[0-9a-f]{64}$/, 'write 64 hex digits in lower case')

export const time = matching(
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/,
  'write a time like 2026-01-31T12:00:00.000Z',
)

/** A list of so many elements. */
export function listOf(element: Check, { least = 0, most }: Length): Check {
  return (got, path, report) => {
    if (!Array.isArray(got) || got.length < least || got.length > most)
      return report.malformed(path, got, `write a list of ${least} to ${most} elements`)
    for (const [at, item] of got.entries()) element(item, `${path}[${at}]`, report)
  }
}

/** A list in which nothing stands twice. */
export function setOf(element: Check, most: number): Check {
  const each = listOf(element, { most })
  return (got, path, report) => {
    each(got, path, report)
    if (Array.isArray(got) && new Set(got).size < got.length)
      report.malformed(path, got, 'write each element once')
  }
}

/** An object of exactly these members; those that are optional may be left out. */
export function shape(
  needed: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  const all = { ...needed, ...optional }
  return (got, path, report) => {
    if (!isMembers(got)) return report.malformed(path, got, 'write an object')
    for (const name of Object.keys(needed)) requireMember(got, name, { path, report })
    for (const [name, member] of Object.entries(got)) {
      const check = Object.hasOwn(all, name) ? all[name] : undefined
      if (check === undefined) report.unknown(below(path, name), name, Object.keys(all))
      else check(member, below(path, name), report)
    }
  }
}

function requireMember(
  got: object,
  name: string,
  { path, report }: { readonly path: string; readonly report: Report },
): void {
  if (!Object.hasOwn(got, name)) report.malformed(below(path, name), undefined, 'write it')
}
