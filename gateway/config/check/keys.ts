import type { ConfigFiles } from '../files.ts'
import { hideGot, showGot } from '../got.ts'
import type { RawKey } from '../raw.ts'
import type { Report } from '../report.ts'
import type { KeyBinding, KeyUse } from '../types.ts'
import { globsMeet } from './globs.ts'
import { buildSecret } from './secret.ts'

// Fields that belong to the connection, not to the call; a key in one of them would break it.
const NOT_FOR_KEYS =
  /^(?:host|content-length|transfer-encoding|connection|upgrade|te|trailer|keep-alive|proxy-.*|expect)$/i
const MOST_STARS = 16

/** One key of one upstream. */
export function buildKey(
  raw: RawKey,
  {
    at,
    files,
    report,
  }: { readonly at: string; readonly files: ConfigFiles; readonly report: Report },
): KeyBinding | undefined {
  const secret = report.field(`${at}.secret`, raw.secret, (source) => buildSecret(source, files))
  const use = buildUse(raw, at, report)
  const methods = raw.methods && report.items(`${at}.methods`, raw.methods, (method) => method)
  const paths =
    raw.paths &&
    report.items(`${at}.paths`, raw.paths, (glob, where) => buildPathGlob(glob, where, report))
  if (secret === undefined || use === undefined) return undefined
  const person = report.field(`${at}.person`, raw.person, (id) => id)
  return { name: raw.name, secret, use, methods, paths, person }
}

function buildUse(raw: RawKey, at: string, report: Report): KeyUse | undefined {
  const given = (['header', 'basic_user', 'placeholder'] as const).filter(
    (way) => raw[way] !== undefined,
  )
  if (given.length !== 1) {
    const got = given.length === 0 ? 'none of them' : given.join(' and ')
    report.add(at, got, 'set exactly one of: header, basic_user, placeholder')
    return undefined
  }
  if (raw.format !== undefined && raw.header === undefined) {
    report.add(
      `${at}.format`,
      `a format for \`${given[0]}\``,
      'remove it: only a header has a format',
    )
  }
  const user = report.field(`${at}.basic_user`, raw.basic_user, (text) => text)
  if (user !== undefined) return { kind: 'basic', user }
  const text = report.field(`${at}.placeholder`, raw.placeholder, (value) => value)
  if (text !== undefined) return { kind: 'placeholder', text }
  return report.field(`${at}.header`, raw.header, (header, where) =>
    buildHeaderUse(header, raw.format, { at: where, formatAt: `${at}.format`, report }),
  )
}

function buildHeaderUse(
  header: string,
  format: string | undefined,
  {
    at,
    formatAt,
    report,
  }: { readonly at: string; readonly formatAt: string; readonly report: Report },
): KeyUse | undefined {
  if (NOT_FOR_KEYS.test(header)) {
    report.add(at, showGot(header), 'name a header of the call: this one belongs to the connection')
    return undefined
  }
  const text = format ?? (/^authorization$/i.test(header) ? 'Bearer {}' : '{}')
  if (typeof text !== 'string' || text.split('{}').length === 2)
    return { kind: 'header', header, format: text }
  // A format without its slot may be the key itself.
  report.add(formatAt, hideGot(text), 'write `{}` once where the key belongs: `Bearer {}`')
  return undefined
}

function buildPathGlob(glob: string, at: string, report: Report): string | undefined {
  if (glob.split('*').length - 1 <= MOST_STARS && !glob.includes('?')) return glob
  report.add(at, showGot(glob), `write a path without a query, with at most ${MOST_STARS} stars`)
  return undefined
}

/** Reports keys of one upstream that would be put into the same place of the same call. */
export function checkKeyOverlaps(keys: readonly KeyBinding[], at: string, report: Report): void {
  for (const [index, key] of keys.entries()) {
    const rival = keys.slice(0, index).find((earlier) => overlap(earlier, key))
    if (rival === undefined) continue
    const got = `\`${key.name}\`, which takes the same place as \`${rival.name}\` in the same calls`
    report.add(at, got, 'give the two keys different methods, paths, persons or headers')
  }
}

function overlap(one: KeyBinding, other: KeyBinding): boolean {
  return (
    one.person === other.person &&
    samePlace(one.use, other.use) &&
    meet(one.methods, other.methods, (a, b) => a === b) &&
    meet(one.paths, other.paths, globsMeet)
  )
}

function samePlace(one: KeyUse, other: KeyUse): boolean {
  if (one.kind === 'placeholder') return other.kind === 'placeholder' && one.text === other.text
  if (other.kind === 'placeholder') return false
  return headerOf(one) === headerOf(other)
}

function headerOf(use: Exclude<KeyUse, { kind: 'placeholder' }>): string {
  return use.kind === 'basic' ? 'authorization' : use.header.toLowerCase()
}

/** Whether two lists share a member; a list that is absent holds everything. */
function meet(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
  same: (a: string, b: string) => boolean,
): boolean {
  if (one === undefined || other === undefined) return true
  return one.some((a) => other.some((b) => same(a, b)))
}
