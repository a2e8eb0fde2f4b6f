import { WAYS } from '../../ask.ts'
import { matchesGlob } from '../../glob.ts'
import { canonicalPath } from '../../paths.ts'

/** How the values of an attribute are written. */
export interface Form {
  /** In plain words. */
  readonly name: string
  readonly repair: string
  /** False where no value is this text. */
  holds(text: string): boolean
  /** False where no value can match a pattern of these pieces with anything between them. */
  matches(pieces: readonly string[]): boolean
}

const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/
const NUMBER_AT_END = /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$/
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const IPV4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`)
const IPV6 = /^(?=.*:.*:)[0-9a-f:.]{2,45}$/
// RFC 5952: no leading zeros, and two groups of zeros are not written out where nothing else was left out.
const LONG_IPV6 = /(?:^|:)0[0-9a-f]|^(?!.*::).*(?:^|:)0:0(?::|$)/

/** The host of a call: canonical, so that one host has one text. */
export const HOST: Form = {
  name: 'host',
  repair:
    'write the canonical host: lower case, no trailing dot, other letters as xn--, no port, no brackets',
  holds: (text) =>
    text.includes(':')
      ? IPV6.test(text) && !LONG_IPV6.test(text)
      : IPV4.test(text) || (NAME.test(text) && !NUMBER_AT_END.test(text)),
  matches: (pieces) =>
    pieces.length === 1
      ? HOST.holds(pieces[0] ?? '')
      : pieces.every((piece) => /^[a-z0-9_.:-]*$/.test(piece) && !piece.includes('..')) &&
        !(pieces[0] ?? '').startsWith('.') &&
        !(pieces.at(-1) ?? '').endsWith('.'),
}

const METHOD: Form = {
  name: 'method',
  repair: 'write the method in upper case',
  holds: (text) => /^[!#$%&'*+.^_`|~0-9A-Z-]{1,64}$/.test(text),
  matches: (pieces) => pieces.every((piece) => /^[!#$%&'*+.^_`|~0-9A-Z-]*$/.test(piece)),
}

// In the path of a call all escapes are decoded, and nothing follows it: a `?` is one that was escaped.
const UNFIT_IN_PATH = /%[0-9a-f]{2}|\/\/|\\|[\u0000-\u001f\u007f]/i
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/

const PATH: Form = {
  name: 'path',
  repair:
    'write the decoded path from its first slash on: no percent escapes, dot segments or repeated slashes',
  // The path of a tunnel is empty.
  holds: (text) =>
    text === '' || (text.startsWith('/') && !UNFIT_IN_PATH.test(text) && !DOT_SEGMENT.test(text)),
  matches(pieces) {
    const [first = ''] = pieces
    if (pieces.length === 1) return PATH.holds(first)
    if (first !== '' && !first.startsWith('/')) return false
    const segments = pieces.map((piece, at) => (at === pieces.length - 1 ? piece : `${piece}*`))
    return (
      !pieces.some((piece) => UNFIT_IN_PATH.test(piece)) &&
      !segments.some((text) => DOT_SEGMENT.test(text))
    )
  },
}

const PATHS: Form = {
  name: 'canonical path',
  repair: 'resolve dot segments, and leave out repeated and trailing slashes',
  holds: (text) => canonicalPath(text) === text,
  matches: () => true,
}

/** The form of an attribute that is one of a few texts. */
function oneOf(name: string, texts: readonly string[]): Form {
  return {
    name,
    repair: `use ${texts.join(', ')}`,
    holds: (text) => texts.includes(text),
    matches: (pieces) =>
      texts.some((text) => matchesGlob({ pattern: pieces.join('*'), pieces }, text)),
  }
}

/** The forms of those attributes that have one, by their names in the schema. */
export const FORMS: ReadonlyMap<string, Form> = new Map([
  ['host', HOST],
  ['method', METHOD],
  ['scheme', oneOf('scheme', ['http', 'https'])],
  ['way', oneOf('way', WAYS)],
  ['path', PATH],
  ['paths', PATHS],
])
