import type { CanonicalPath } from './path.ts'

const ASCII_ESCAPE = /%([0-7][0-9a-f])/gi

/**
 * What all spellings of a path have in common: percent escapes decoded at every level, encoded separators too, and
 * repeated slashes as one. It is for finding what must not be asked for; what is sent is the path as it came.
 */
export function plainPath({ segments }: CanonicalPath): string {
  let text = `/${segments.join('/')}`
  for (let next = decoded(text); next !== text; next = decoded(text)) text = next
  return text.replaceAll(/\/{2,}/g, '/')
}

/** Of a path that was judged, which has a handful of levels at most. */
function decoded(text: string): string {
  return text.replaceAll(ASCII_ESCAPE, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
