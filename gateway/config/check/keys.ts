import type { ConfigFiles } from '../files.ts'
import { showGot } from '../got.ts'
import type { KeyBinding } from '../key-types.ts'
import type { RawKey } from '../raw.ts'
import type { Report } from '../report.ts'
import { buildUse } from './key-use.ts'
import { buildSecret } from './secret.ts'

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
  const use = buildUse(raw, { at, files, report })
  const methods = raw.methods && report.items(`${at}.methods`, raw.methods, (method) => method)
  const paths =
    raw.paths &&
    report.items(`${at}.paths`, raw.paths, (glob, where) => buildPathGlob(glob, where, report))
  if (use === undefined || !checkSource(raw, { at, report })) return undefined
  const person = report.field(`${at}.person`, raw.person, (id) => id)
  return { name: raw.name, secret, use, methods, paths, person }
}

/** A key comes from one place: from where the configuration says, or from each person. */
function checkSource(
  { name, personal, secret, person, sigv4, oauth }: RawKey,
  { at, report }: { readonly at: string; readonly report: Report },
): boolean {
  if (!personal) {
    if (secret === undefined) report.add(`${at}.secret`, 'nothing', 'add it')
    return secret !== undefined
  }
  const others = Object.entries({ secret, person, sigv4, oauth }).filter(
    ([, value]) => value !== undefined,
  )
  for (const [key] of others)
    report.add(`${at}.${key}`, `it beside \`personal\` of ${showGot(name)}`, 'remove one of them')
  return others.length === 0
}

function buildPathGlob(glob: string, at: string, report: Report): string | undefined {
  if (glob.split('*').length - 1 <= MOST_STARS && !glob.includes('?')) return glob
  report.add(at, showGot(glob), `write a path without a query, with at most ${MOST_STARS} stars`)
  return undefined
}
