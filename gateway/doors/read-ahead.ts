import type { Socket } from 'node:net'

/** Behind so much unread the end of a connection is not looked for any more. */
const MOST_BYTES = 65_536

/** A connection that is read while its client waits for an answer. */
export interface ReadAhead {
  /** Whether the client has ended its side: it is taken to have gone, as within any request. */
  readonly ended: boolean
  /** Puts back what was read and stops; the connection is then paused. */
  stop(): void
}

/**
 * Reads on from a connection that no parser reads, for the sake of its end: nobody would see it there before the answer
 * is written. Calls `onEnd` at the end.
 */
export function readAhead(socket: Socket, onEnd: () => void = () => {}): ReadAhead {
  const chunks: Buffer[] = []
  let bytes = 0
  let ended = false
  const read = (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MOST_BYTES) socket.pause()
  }
  const end = () => {
    ended = true
    onEnd()
  }
  socket.on('data', read).once('end', end).resume()
  return {
    get ended() {
      return ended
    },
    stop() {
      socket.off('data', read).off('end', end).pause()
      if (bytes > 0 && !ended) socket.unshift(Buffer.concat(chunks))
    },
  }
}
