/** Header fields in their order and spelling, flat: name, value, name, value. */
type Fields = readonly string[]

export interface RequestHead {
  readonly method: string
  readonly target: string
  readonly headers: Fields
}

export interface AnswerHead {
  readonly version: '1.0' | '1.1'
  readonly status: number
  readonly statusText: string
  readonly headers: Fields
}

// Control bytes, and line ends that are not CRLF (RFC 9112, 2.2: readers differ in what they make of them).
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?:^|[^\r])\n/
const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) ([\x21-\x7e]+) HTTP\/1\.1$/
// The phrase means nothing to anybody, so that what stands in it is no reason to lose an answer.
const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: ([^\r\n]*))?$/

/**
 * Reads the head of an HTTP/1.1 request, strictly (RFC 9112, 3 and 5). `text` holds a byte a character (latin1) and
 * ends before the empty line. Undefined is said of everything that another reader could understand otherwise.
 */
export function parseRequestHead(text: string): RequestHead | undefined {
  const { first, next } = firstLine(text)
  const [, method, target] = REQUEST_LINE.exec(first) ?? []
  if (method === undefined || target === undefined) return undefined
  const headers = fieldsBehind(text, next)
  return headers === undefined ? undefined : { method, target, headers }
}

/** Reads the head of an answer (RFC 9112, 4 and 5), as strictly but for its phrase. */
export function parseAnswerHead(text: string): AnswerHead | undefined {
  const { first, next } = firstLine(text)
  const [, minor, status, statusText = ''] = STATUS_LINE.exec(first) ?? []
  if (status === undefined) return undefined
  const headers = fieldsBehind(text, next)
  const version = minor === '0' ? '1.0' : '1.1'
  return headers === undefined
    ? undefined
    : { version, status: Number(status), statusText, headers }
}

/** Reads fields that stand alone, such as a trailer section without its empty line; '' holds none. */
export function parseFields(text: string): Fields | undefined {
  return fieldsBehind(text, 0)
}

function firstLine(text: string): { readonly first: string; readonly next: number } {
  const end = text.indexOf('\r\n')
  return end < 0 ? { first: text, next: text.length } : { first: text.slice(0, end), next: end + 2 }
}

function fieldsBehind(text: string, at: number): Fields | undefined {
  return FORBIDDEN.test(at === 0 ? text : text.slice(at)) ? undefined : fieldsOf(text, at)
}

/** Every line from `at` on; a line that continues the one before it (obs-fold) has no name and is refused with that. */
function fieldsOf(text: string, at: number): Fields | undefined {
  const fields: string[] = []
  for (let start = at; start < text.length;) {
    const found = text.indexOf('\r\n', start)
    const end = found < 0 ? text.length : found
    const colon = endOfName(text, start)
    if (colon === start || text.charCodeAt(colon) !== COLON) return undefined
    fields.push(text.slice(start, colon), valueOf(text, colon + 1, end))
    start = end + 2
  }
  return fields
}

const COLON = 0x3a
const SPACE = 0x20
const TAB = 0x09

/** RFC 9110, 5.6.2: the characters of a token, by their code. */
const IS_TOKEN = new Uint8Array(256)
for (const char of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
  IS_TOKEN[char.charCodeAt(0)] = 1
}

function endOfName(text: string, start: number): number {
  let at = start
  while (IS_TOKEN[text.charCodeAt(at)] === 1) at += 1
  return at
}

/** Without the optional white space around it. */
function valueOf(text: string, start: number, end: number): string {
  let from = start
  let to = end
  while (from < to && isSpace(text.charCodeAt(from))) from += 1
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1
  return text.slice(from, to)
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB
}
