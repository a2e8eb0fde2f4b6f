import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { refusalOfCut } from '../ending.ts'
import type { Watch } from '../open.ts'

/** Close codes (RFC 6455, 7.4.1). */
const POLICY_VIOLATION = 1008
const GOING_AWAY = 1001

/** How long a client may take to answer a close frame, in milliseconds. */
const LAST_WORD_MS = 1000

/** Bytes that wait for the client: with more of them no ping of its is answered. */
const MOST_WAITING = 65_536

export interface Keeping {
  readonly watch: Watch
  /** The connection under it. */
  readonly near: Duplex
  /** Without a sign of the client for so long, it has gone. */
  readonly idleMs: number
}

/** Keeps a WebSocket open as long as its token stands and its client is there. */
export function keepOpen(socket: WebSocket, { watch, near, idleMs }: Keeping): void {
  watch.onCut((cut) => {
    const { code } = refusalOfCut({ cut, against: watch.against })
    socket.close(cut === 'stopped' ? GOING_AWAY : POLICY_VIOLATION, code)
    // Frames that wait to be read would keep its answer from being seen.
    socket.resume()
    setTimeout(() => socket.terminate(), LAST_WORD_MS).unref()
  })
  let isHeard = true
  const heard = () => (isHeard = true)
  socket.on('message', heard).on('pong', heard)
  socket.on('ping', (data: Buffer) => {
    heard()
    if (socket.bufferedAmount < MOST_WAITING) socket.pong(data)
  })
  const timer = setInterval(() => {
    // Nothing is read while as many calls are under way as may be.
    if (!isHeard && !socket.isPaused) return socket.terminate()
    isHeard = false
    socket.ping()
  }, idleMs / 2)
  timer.unref()
  near.once('close', () => {
    clearInterval(timer)
    watch.done()
  })
}
