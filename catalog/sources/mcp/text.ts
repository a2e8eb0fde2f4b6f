import { shortened } from '../openapi/values.ts'

/** Of a longer text no more than this is looked at. */
const LOOKED_AT = 4096

/** The first line with something in it, without characters that cannot be seen; undefined where there is none. */
export function lineOf(text: unknown, most: number): string | undefined {
  if (typeof text !== 'string') return undefined
  for (const line of text.slice(0, LOOKED_AT).split(/[\r\n\u2028\u2029]+/)) {
    const seen = line.replaceAll(/\p{C}+/gu, ' ').trim()
    if (seen !== '') return shortened(seen, most)
  }
  return undefined
}
