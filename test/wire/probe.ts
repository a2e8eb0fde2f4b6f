/** How a probe's bytes get to the gateway. HTTP/2 has probes of its own, since its framing is another. */
export const WIRES = ['absolute', 'mount', 'clear', 'tls12', 'tls13', 'ws', 'wss'] as const

export type Wire = (typeof WIRES)[number]

/**
 * One request as raw bytes (latin1). `$AT` stands for what comes before the path in this shape's request target,
 * `$HOST` for its Host, `$OWN` for whole lines that it needs besides (credentials, the upgrade's fields), and `$ID`
 * for a text of its own by which the upstream's record is searched.
 */
export interface Probe {
  readonly name: string
  readonly bytes: string
  /** The shapes that can carry it; all of them by default. */
  readonly on?: readonly Wire[]
}

/** A request that is answered with a refusal, and of which no byte reaches an upstream. */
export interface Refused extends Probe {
  /** 400 by default. */
  readonly status?: number
  /** `malformed_request` by default. */
  readonly code?: string
  /** Whether the connection serves on: its framing is clear, only what it asks for is refused. */
  readonly servesOn?: boolean
}

/** A request that passes, and what the upstream gets of it. */
export interface Passed extends Probe {
  /** The lines of the head that go on, in order, without those of framing and of the hop. */
  readonly lines: readonly string[]
  /** The body, its transfer coding removed; empty by default. */
  readonly body?: string
  /** How the body is delimited at the upstream; without a body by default. */
  readonly framing?: 'none' | 'length' | 'chunked'
}

/**
 * A request whose fault lies in its body: its head may be at the upstream by then, but a whole request may never
 * be there, and the client never sees success.
 */
export type Broken = Probe

const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\r\n`).join('')

/** A request of this method with these fields, and the bytes behind its head. */
export function send(method: string, fields: readonly string[], body = ''): string {
  return `${lines(`${method} $AT/$ID HTTP/1.1`, 'Host: $HOST')}$OWN${lines(...fields, '')}${body}`
}

export const get = (...fields: readonly string[]): string => send('GET', fields)

/** A GET with this whole head, nothing added but the shape's own lines behind the first one. */
export function head(first: string, ...fields: readonly string[]): string {
  return `${first}\r\n$OWN${lines(...fields, '')}`
}
