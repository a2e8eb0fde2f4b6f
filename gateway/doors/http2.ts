import { constants, performServerHandshake } from 'node:http2'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { Knock, KnockFault } from '../knock.ts'
import { lendBody } from './body.ts'
import type { Connection } from './connections.ts'
import type { Addressed, Doors } from './door.ts'
import { areWritable, tokensOf } from './fields.ts'
import { malformed } from './framing.ts'
import { fromHttp2, splitHead, toHttp2 } from './http2-fields.ts'
import type { Http2Head } from './http2-fields.ts'
import { watchIdleStream } from './idle.ts'
import { createPresence } from './presence.ts'
import type { Presence } from './presence.ts'
import { breakOff, writeReplyHttp2 } from './reply-http2.ts'
import { addressInner } from './tunnel.ts'
import type { Tunnel } from './tunnel.ts'

const MAX_STREAMS = 250
// By default an upload, and all uploads of a connection together, get 64 KiB a round trip.
const WINDOW_BYTES = 1_048_576
const CONNECTION_WINDOW_BYTES = 4 * WINDOW_BYTES
// In MB. What all streams of a connection may hold: Node refuses new ones beyond, and 10 MB would be too little for them.
const SESSION_MEMORY = 64
// What a cancelled stream still had to send stays counted against that. The client's next streams go to a new connection.
const MOST_CANCELLED = 500
// What HPACK counts for a field besides its text (RFC 7541, 4.1).
const FIELD_BYTES = 32
// So many times what is allowed is read, so that most of what is too large is told so: beyond, the stream is reset.
const READ_TIMES = 2
const MOST_SETTING = 0xffff_ffff
const METHOD = /^[A-Z][A-Z-]*$/

/** Serves HTTP/2 inside a tunnel: each stream becomes a Knock. */
export function serveHttp2(tls: TLSSocket, tunnel: Tunnel, doors: Doors): void {
  const { limits, connections } = doors
  const session = performServerHandshake(tls, {
    maxHeaderListPairs: Math.floor(limits.maxHeaderBytes / FIELD_BYTES),
    maxSessionMemory: SESSION_MEMORY,
    settings: {
      enableConnectProtocol: false,
      initialWindowSize: WINDOW_BYTES,
      maxConcurrentStreams: MAX_STREAMS,
      maxHeaderListSize: Math.min(MOST_SETTING, READ_TIMES * limits.maxHeaderBytes),
    },
  })
  // HTTP/2 knows no half-closed connections, and would not notice on one that its client has gone.
  tls.allowHalfOpen = false
  const connection = connections.of(tls)
  connections.adopt(tls, connection, () => session.close())
  session.on('error', () => tls.destroy())
  session.once('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES))
  session.setTimeout(limits.idleMs, () => {
    if (connection.running === 0) session.close()
  })
  let cancelled = 0
  const onClose = (stream: ServerHttp2Stream) => {
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) cancelled += 1
    if (cancelled === MOST_CANCELLED) session.close()
  }
  session.on(
    'stream',
    (stream: ServerHttp2Stream, _fields: IncomingHttpHeaders, _flags: number, raw: string[]) => {
      stream.on('error', () => {}).once('close', () => onClose(stream))
      serveStream({ stream, raw, tunnel, connection }, doors).catch((error: unknown) => {
        doors.log.warn({ error }, 'a door failed')
        breakOff(stream)
      })
    },
  )
}

interface StreamVisit {
  readonly stream: ServerHttp2Stream
  readonly raw: RawHeaders
  readonly tunnel: Tunnel
  readonly connection: Connection
}

async function serveStream(visit: StreamVisit, doors: Doors): Promise<void> {
  const { stream, connection } = visit
  const end = doors.connections.begin(connection)
  const client = createPresence()
  watchIdleStream(stream, doors.limits.idleMs, () => breakOff(stream))
  stream.once('close', () => {
    // A reset ends the writable side by itself, so that alone would not tell.
    if (stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR) client.left()
    end()
  })
  const body = stream.endAfterHeaders ? null : lendBody(stream, doors.limits)
  const knock = { ...knockOf(visit, doors, client), body }
  const reply = await doors.exchange(knock)
  body?.untimed()
  const { method } = knock
  const onCut = () => client.cut()
  await writeReplyHttp2({ stream, method, onCut, limits: doors.limits }, reply)
}

function knockOf(visit: StreamVisit, doors: Doors, client: Presence): Omit<Knock, 'body'> {
  const { stream, connection } = visit
  const head = splitHead(visit.raw)
  const addressed = address(head, visit, doors)
  let trailers: RawHeaders = []
  stream.once('trailers', (fields) => {
    trailers = fromHttp2(fields)
  })
  return {
    ...addressed,
    peer: connection.peer,
    httpVersion: '2',
    method: head.method,
    headers: head.headers,
    trailers: () => trailers,
    upgrade: false,
    signal: client.signal,
    cancel: () => client.cancel(),
    proceed: () => {
      if (tokensOf(head.headers, 'expect').includes('100-continue')) inform(stream, 100, [])
    },
    inform: (status, headers) => inform(stream, status, headers),
  }
}

function address(head: Http2Head, { raw, tunnel }: StreamVisit, doors: Doors): Addressed {
  const inner = { httpVersion: '2', target: head.path, ...head } as const
  const addressed = addressInner(inner, tunnel, doors.limits)
  const fault = sizeFault(raw, doors.limits) ?? addressed.fault ?? pseudoFault(head)
  // A stream ends where it ends, whatever its fields say: the others go on.
  return fault ? { ...addressed, fault: { ...fault, closes: false } } : addressed
}

/** Counted as HTTP/1.1's parser does, without what HPACK adds. */
function sizeFault(raw: RawHeaders, { maxHeaderBytes }: Doors['limits']): KnockFault | undefined {
  let size = 0
  for (const text of raw) size += text.length
  if (size <= maxHeaderBytes) return undefined
  return {
    code: 'headers_too_large',
    got: `${size} bytes of header fields`,
    repair: `keep all header fields together within ${maxHeaderBytes} bytes`,
  }
}

/**
 * CONNECT has no scheme; one for another scheme than the tunnel's would be judged as what it is not. A method goes
 * upstream in upper case, so one in another case would not be sent as it was judged.
 */
function pseudoFault({ method, scheme }: Http2Head): KnockFault | undefined {
  if (method.toUpperCase() === 'CONNECT') {
    return malformed('CONNECT inside a tunnel', 'send CONNECT on a connection of its own')
  }
  if (!METHOD.test(method)) {
    return malformed(`the method \`${method}\``, 'send a method of upper-case letters')
  }
  return scheme === 'https'
    ? undefined
    : malformed(`the scheme \`${scheme}\``, 'send the scheme https')
}

/** Drops an interim answer that cannot be written, or that the client is too slow to take. */
function inform(stream: ServerHttp2Stream, status: number, headers: RawHeaders): void {
  if (stream.headersSent || stream.destroyed || stream.closed || stream.writableNeedDrain) return
  if (!areWritable(headers)) return
  try {
    stream.additionalHeaders({ ':status': status, ...toHttp2(headers, ['content-length']) })
  } catch {
    // A status that is none of 1xx; the stream may also be closing.
  }
}
