/** One row of the table of limits: what it holds back, and by how much unless the configuration says otherwise. */
export interface LimitRow {
  readonly default: number
  readonly unit: 'bytes' | 'ms' | 'count'
  readonly says: string
}

/** Every limit of the doors by name. The configuration's `limits` and the docs read this table. */
export const LIMITS = {
  maxHeaderBytes: {
    default: 65_536,
    unit: 'bytes',
    says: 'all header fields of one request; a request with more is answered 431',
  },
  maxUrlBytes: {
    default: 16_384,
    unit: 'bytes',
    says: 'the request target; a longer one is answered 414',
  },
  maxTokenBytes: {
    default: 8_192,
    unit: 'bytes',
    says: 'a token as it was sent; a longer one is not a token',
  },
  headMs: {
    default: 15_000,
    unit: 'ms',
    says: 'from the first byte of a connection, or of a later request on it, to the end of the request’s head',
  },
  handshakeMs: {
    default: 10_000,
    unit: 'ms',
    says: 'from the answer to CONNECT to the end of the TLS handshake, however busily bytes trickle in',
  },
  bodyMs: {
    default: 3_600_000,
    unit: 'ms',
    says: 'from the moment a request’s body is waited for to its end, unless the answer begins before; a slower one is answered 408',
  },
  idleMs: {
    default: 300_000,
    unit: 'ms',
    says: 'without a byte in either direction, after which a connection, tunnel or socket is closed',
  },
  drainMs: {
    default: 2_000,
    unit: 'ms',
    says: 'how long a request body that nobody wants is read and dropped before the connection is closed',
  },
  drainBytes: {
    default: 16_777_216,
    unit: 'bytes',
    says: 'how much of a request body that nobody wants is read and dropped before the connection is closed',
  },
  maxConnections: {
    default: 10_000,
    unit: 'count',
    says: 'client connections at one time; more are closed at once',
  },
  maxTunnels: {
    default: 5_000,
    unit: 'count',
    says: 'tunnels of clients at one time; one more is answered 503',
  },
  maxMcpStreams: {
    default: 1_000,
    unit: 'count',
    says: 'streams at one time on which MCP clients wait for news of their tools; one more is answered 503',
  },
  contexts: {
    default: 1_000,
    unit: 'count',
    says: 'hosts whose certificate is kept ready; the least recently used goes first',
  },
  upstreamDnsMs: {
    default: 30_000,
    unit: 'ms',
    says: 'how long the addresses of a name are used before it is looked up again',
  },
  upstreamConnectMs: {
    default: 10_000,
    unit: 'ms',
    says: 'to look up, dial and finish TLS with an upstream',
  },
  upstreamHeadMs: {
    default: 600_000,
    unit: 'ms',
    says: 'from the request to the head of the upstream’s answer; a model may think for long',
  },
  upstreamIdleMs: {
    default: 300_000,
    unit: 'ms',
    says: 'without a byte of an upstream’s answer, after which it is broken off',
  },
  upstreamTotalMs: {
    default: 86_400_000,
    unit: 'ms',
    says: 'from the request to the end of the upstream’s answer; WebSockets and tunnels that are not read are not bound by it',
  },
  judgedBodyBytes: {
    default: 10_485_760,
    unit: 'bytes',
    says: 'a request body that has to be read before the decision; a longer one is answered 413',
  },
  ingestBytes: {
    default: 16_777_216,
    unit: 'bytes',
    says: 'lines of another recorder’s log in one request; more are answered 413, and those before are kept',
  },
  collectedBytes: {
    default: 67_108_864,
    unit: 'bytes',
    says: 'an answer that has to be whole before it can be cut down (order, aggregate); a longer one is answered 502',
  },
} as const satisfies Record<string, LimitRow>

export type LimitName = keyof typeof LIMITS

/** A value for every limit, in the unit of its row. */
export type Limits = Readonly<Record<LimitName, number>>

/** The table's defaults with the given values put over them. */
export function limitsWith(values: Partial<Limits> = {}): Limits {
  const defaults = Object.entries(LIMITS).map(([name, row]) => [name, row.default])
  return Object.freeze({ ...Object.fromEntries(defaults), ...values } as Limits)
}
