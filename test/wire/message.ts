/** An HTTP/1.1 message as it stands on a connection, read by the letter of RFC 9112. */
export interface Message {
  readonly first: string
  /** Field lines as they came. */
  readonly fields: readonly string[]
  readonly body: string
  readonly framing: 'none' | 'length' | 'chunked'
  /** What lies behind the message. */
  readonly rest: string
}

const FIELD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/

/**
 * Reads a whole message off the start of a text (latin1); undefined while it is not all there. It throws on whatever
 * two readers could read differently: it is the suite's own measure, and shares no line with the product.
 */
export function readMessage(text: string): Message | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...fields] = text.slice(0, end).split('\r\n')
  for (const line of fields) if (!FIELD.test(line)) throw new Error(`a field line ${quote(line)}`)
  if (/[\r\n\0]/.test(first)) throw new Error(`a first line ${quote(first)}`)
  const behind = text.slice(end + 4)
  const lengths = valuesOf(fields, 'content-length')
  const codings = valuesOf(fields, 'transfer-encoding')
  if (lengths.length + codings.length > 1) throw new Error('more than one framing')
  if (codings.length > 0) return chunked({ first, fields, codings }, behind)
  const length = Number(lengths[0] ?? 0)
  if (!/^\d{0,15}$/.test(lengths[0] ?? '')) throw new Error(`a length ${quote(lengths[0])}`)
  if (behind.length < length) return undefined
  const framing = lengths.length > 0 ? 'length' : 'none'
  return { first, fields, body: behind.slice(0, length), framing, rest: behind.slice(length) }
}

interface ChunkedHead {
  readonly first: string
  readonly fields: readonly string[]
  readonly codings: readonly string[]
}

function chunked({ first, fields, codings }: ChunkedHead, behind: string): Message | undefined {
  if (codings[0] !== 'chunked') throw new Error(`a coding ${quote(codings[0])}`)
  let body = ''
  for (let at = 0; ;) {
    const line = behind.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = behind.slice(at, line)
    if (!/^[0-9a-fA-F]{1,8}$/.test(size)) throw new Error(`a chunk size ${quote(size)}`)
    const length = Number.parseInt(size, 16)
    if (length === 0) {
      const end = behind.indexOf('\r\n\r\n', line)
      if (end < 0) return undefined
      return { first, fields, body, framing: 'chunked', rest: behind.slice(end + 4) }
    }
    const from = line + 2
    if (behind.length < from + length + 2) return undefined
    body += behind.slice(from, from + length)
    if (behind.slice(from + length, from + length + 2) !== '\r\n') throw new Error('a chunk’s end')
    at = from + length + 2
  }
}

/** The values of a field, in order; `name` in lower case. */
export function valuesOf(fields: readonly string[], name: string): readonly string[] {
  return fields
    .filter((line) => line.slice(0, line.indexOf(':')).toLowerCase() === name)
    .map((line) => line.slice(line.indexOf(':') + 1).trim())
}

function quote(text: string | undefined): string {
  return JSON.stringify(text)
}
