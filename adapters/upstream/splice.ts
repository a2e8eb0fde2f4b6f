import type { PathSplice, UpstreamRequest } from './port.ts'

/** What a key may look like inside a URL: characters that part nothing, and escapes (RFC 3986, 3.3 and 3.4). */
const PLAIN = /^(?:[A-Za-z0-9._~!$'()*,:@-]|%[0-9A-Fa-f]{2})*$/
/** What parts a URL into segments and parameters. */
const PARTING = /[/?#&=]/
/** A parameter that is put behind all others. */
const PARAMETER = /^[?&][A-Za-z0-9._~-]+=/

/**
 * The path as it is sent: the judged one with its keys put in. Throws a TypeError for a splice that would do more than
 * fill one value: take away or add a `/`, a `?` or a parameter before the end, or lie outside or inside another.
 */
export function splicePath({
  path,
  splices = [],
}: Pick<UpstreamRequest, 'path' | 'splices'>): string {
  let sent = ''
  let at = 0
  for (const splice of splices) {
    if (splice.from < Math.max(at, 1) || splice.to < splice.from || splice.to > path.length)
      throw new TypeError(
        'a key would be put outside the judged path; splice in order, behind its `/`',
      )
    if (!fillsOne(splice, path)) {
      throw new TypeError('a key would change how the judged path is parted; escape it')
    }
    sent += path.slice(at, splice.from) + splice.text
    at = splice.to
  }
  return at === 0 ? path : sent + path.slice(at)
}

function fillsOne({ from, to, text }: PathSplice, path: string): boolean {
  if (from === path.length && PARAMETER.test(text)) {
    const isFirst = !path.includes('?')
    return text.startsWith('?') === isFirst && PLAIN.test(text.replace(PARAMETER, ''))
  }
  return PLAIN.test(text) && !PARTING.test(path.slice(from, to))
}
