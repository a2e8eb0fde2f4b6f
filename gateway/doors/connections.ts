import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** One client connection, through all that it becomes: plain HTTP, a tunnel, TLS inside the tunnel. */
export interface Connection {
  /** The client's address, `ip:port`; `unix` on a unix socket. */
  readonly peer: string
  /** Exchanges that are running on it. */
  readonly running: number
  /** It ends after the exchanges that run, and what else the client sends is not read. */
  readonly retired: boolean
}

/** The client connections of one listener: what runs on them, and how they end. */
export interface Connections {
  /** Takes note of a socket; a second time it gives the same connection. */
  open(socket: Socket): Connection
  /** The connection that a socket belongs to, be it the client's own or TLS made on top of it. */
  of(socket: Duplex): Connection
  /**
   * Says that `inner` is what a connection has become, and where the protocol knows how, the way to have it take
   * no more exchanges and end after those that run.
   */
  adopt(inner: Socket, connection: Connection, drain?: () => void): void
  /**
   * An exchange begins; call what comes back when it ends. Where the client goes before, `onGone` is called:
   * a response that waits for its turn on the connection would not tell.
   */
  begin(connection: Connection, onGone?: () => void): () => void
  /** Ends a connection once nothing runs on it any more. */
  retire(connection: Connection): void
  /** True from the first call of `close`: answers then close their connection. */
  readonly closing: boolean
  count(): number
  /** Ends idle connections now, the others when their exchanges end or after `graceMs`, whatever comes first. */
  close(graceMs: number): Promise<void>
}

interface Tracked extends Connection {
  running: number
  readonly socket: Socket
  /** What is read and written now: the socket, or TLS on top of it, which wants to say goodbye itself. */
  top: Socket
  readonly onGone: Set<() => void>
  drain?: () => void
  retired: boolean
}

/** Makes the book of a listener's connections, empty. */
export function createConnections(): Connections {
  const open = new Set<Tracked>()
  const bySocket = new WeakMap<Duplex, Tracked>()
  let closing = false
  let emptied: (() => void) | undefined

  const track = (socket: Socket): Tracked => {
    const tracked: Tracked = {
      peer: peerOf(socket),
      socket,
      top: socket,
      running: 0,
      onGone: new Set(),
      retired: false,
    }
    open.add(tracked)
    bySocket.set(socket, tracked)
    socket.once('close', () => {
      open.delete(tracked)
      for (const onGone of tracked.onGone) onGone()
      if (open.size === 0) emptied?.()
    })
    return tracked
  }
  const find = (connection: Connection): Tracked => connection as Tracked
  const endIfIdle = ({ running, top, drain, retired }: Tracked) => {
    if (running === 0 && (retired || (closing && !drain))) top.destroySoon()
  }

  return {
    open: (socket) => bySocket.get(socket) ?? track(socket),
    of(socket) {
      const tracked = bySocket.get(socket)
      if (!tracked) throw new TypeError('a request came on a socket that no listener accepted')
      return tracked
    },
    adopt(inner, connection, drain) {
      bySocket.set(inner, find(connection))
      find(connection).top = inner
      if (drain) find(connection).drain = drain
      if (closing) drain?.()
    },
    begin(connection, onGone = () => {}) {
      const tracked = find(connection)
      tracked.running++
      tracked.onGone.add(onGone)
      let ended = false
      return () => {
        if (ended) return
        ended = true
        tracked.running--
        tracked.onGone.delete(onGone)
        // Not at once: the answer's last bytes are written, but its connection may still be flushing them.
        setImmediate(endIfIdle, tracked)
      }
    },
    retire(connection) {
      find(connection).retired = true
      endIfIdle(find(connection))
    },
    get closing() {
      return closing
    },
    count: () => open.size,
    async close(graceMs) {
      closing = true
      for (const tracked of open) {
        tracked.drain?.()
        endIfIdle(tracked)
      }
      if (open.size === 0) return
      const timer = setTimeout(() => {
        for (const { socket } of open) socket.destroy()
      }, graceMs)
      await new Promise<void>((resolve) => {
        emptied = resolve
      })
      clearTimeout(timer)
    },
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  if (remoteAddress === undefined) return 'unix'
  // A dual-stack listener sees IPv4 clients as mapped addresses.
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '')
  return address.includes(':') ? `[${address}]:${remotePort}` : `${address}:${remotePort}`
}
