// A percent sign may itself be encoded, as often as somebody decodes it.
const ENCODED = /%(?:25)*(?:2e|2f|5c|00)/i

// Most paths are in their one form: absolute, without a percent sign, no segment empty or with a dot first.
const PLAIN = /^(?:\/[^/.%\\\0][^/%\\\0]*)+$/

/**
 * The one form of a path: `.` and `..` resolved, repeated and trailing slashes gone. Undefined for
 * what could be another path to somebody else (an encoded separator or dot, NUL, a backslash), and
 * for a relative path that names nothing below its start.
 */
export function canonicalPath(text: string): string | undefined {
  if (PLAIN.test(text)) return text
  if (text.includes('\0') || text.includes('\\') || ENCODED.test(text)) return undefined
  const absolute = text.startsWith('/')
  const parts: string[] = []
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    // Above the root is the root; above a relative start is somewhere unknown.
    else if (parts.pop() === undefined && !absolute) return undefined
  }
  if (absolute) return `/${parts.join('/')}`
  return parts.length === 0 ? undefined : parts.join('/')
}

/** True where a canonical path is the canonical prefix or lies below it, on a segment's border. */
export function isInside(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
}
