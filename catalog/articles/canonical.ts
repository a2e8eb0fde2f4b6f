import type { Article } from './types.ts'

/** The canonical spelling of a JSON value (RFC 8785): members in order of their names' UTF-16 units, no spaces. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

/** What an article's hash is of: its canonical spelling without `hash` and `updated`. */
export function hashedText({ hash: _hash, updated: _updated, ...rest }: Article): string {
  return canonicalJson(rest)
}
