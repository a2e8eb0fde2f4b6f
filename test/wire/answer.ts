/** An answer as a client of HTTP/1.1 reads it, by the letter of RFC 9112. */
export interface ReadAnswer {
  /** Heads of 1xx answers, each in one line. */
  readonly informed: readonly string[]
  readonly first: string
  readonly fields: readonly string[]
  readonly body: string
  readonly trailers: readonly string[]
  /** What lies behind it. */
  readonly rest: string
}

interface Connection {
  readonly method: string
  /** Whether the other side has ended the connection: so a body without a length ends. */
  readonly closed: boolean
}

/** Reads an answer off the start of a text (latin1); undefined while it is not all there. */
export function readAnswer(text: string, connection: Connection): ReadAnswer | undefined {
  const informed: string[] = []
  for (let left = text; ;) {
    const end = left.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const [first = '', ...fields] = left.slice(0, end).split('\r\n')
    left = left.slice(end + 4)
    const status = Number(first.slice(9, 12))
    if (status >= 100 && status < 200) informed.push([first, ...fields].join('|'))
    else return bodyOf({ informed, first, fields, status }, left, connection)
  }
}

interface Head extends Pick<ReadAnswer, 'informed' | 'first' | 'fields'> {
  readonly status: number
}

function bodyOf(
  { status, ...head }: Head,
  text: string,
  { method, closed }: Connection,
): ReadAnswer | undefined {
  const valueOf = (name: string) =>
    head.fields.find((line) => line.toLowerCase().startsWith(`${name}:`))?.split(': ')[1]
  if (method === 'HEAD' || status === 204 || status === 304)
    return { ...head, body: '', trailers: [], rest: text }
  if (valueOf('transfer-encoding') === 'chunked') return chunksOf(head, text)
  const length = valueOf('content-length')
  if (length === undefined)
    return closed ? { ...head, body: text, trailers: [], rest: '' } : undefined
  if (text.length < Number(length)) return undefined
  const body = text.slice(0, Number(length))
  return { ...head, body, trailers: [], rest: text.slice(body.length) }
}

function chunksOf(head: Omit<Head, 'status'>, text: string): ReadAnswer | undefined {
  let body = ''
  for (let at = 0; ;) {
    const line = text.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(text.slice(at, line), 16)
    if (size > 0) {
      body += text.slice(line + 2, line + 2 + size)
      at = line + 2 + size + 2
      continue
    }
    const end = text.indexOf('\r\n\r\n', line)
    if (end < 0) return undefined
    const trailers = text
      .slice(line + 2, end + 2)
      .split('\r\n')
      .filter(Boolean)
    return { ...head, body, trailers, rest: text.slice(end + 4) }
  }
}
