import type { Socket } from 'node:net'

/** What the one exchange on a connection hears of it. */
export interface LinkUser {
  onData(bytes: Buffer): void
  /** The upstream ended its side. */
  onEnd(): void
  /** The connection is gone; what broke it, if anything did. */
  onGone(error: Error | undefined): void
}

/**
 * A connection to an upstream that serves one exchange at a time. While nobody uses it, whatever the upstream says
 * there closes it: it would be taken for the answer to the next request.
 */
export class Link {
  readonly socket: Socket
  /** What was dialled, `ip:port`. */
  readonly address: string
  /** Of the pool it belongs to. */
  readonly key: string
  /** Whether it served an exchange before the present one. */
  reused = false
  /** When it was given back, on the monotonic clock in ms. */
  idleSince = 0
  readonly #onClosed: (link: Link) => void
  #user: LinkUser | undefined
  #error: Error | undefined
  #timer: NodeJS.Timeout | undefined
  #timerMs = 0
  #onLate: (() => void) | undefined

  constructor(
    dialled: { readonly socket: Socket; readonly address: string },
    key: string,
    onClosed: (link: Link) => void,
  ) {
    const { socket } = dialled
    this.socket = socket
    this.address = dialled.address
    this.key = key
    this.#onClosed = onClosed
    socket
      .on('data', (bytes: Buffer) => {
        if (this.#user === undefined) socket.destroy()
        else this.#user.onData(bytes)
      })
      .on('end', () => {
        if (this.#user === undefined) socket.destroy()
        else this.#user.onEnd()
      })
      .on('error', (error) => {
        this.#error = error
      })
      .on('close', () => this.#close())
  }

  /** Whether it is already known to be of no use. */
  get dead(): boolean {
    return this.socket.destroyed || this.socket.readableEnded || !this.socket.writable
  }

  use(user: LinkUser): void {
    this.#user = user
    // It is a reason to stay up again.
    this.socket.ref()
  }

  /** Nobody uses it from now on. */
  rest(now: number): void {
    this.#user = undefined
    this.#onLate = undefined
    this.reused = true
    this.idleSince = now
    if (this.socket.isPaused()) this.socket.resume()
    this.socket.unref()
  }

  destroy(): void {
    this.socket.destroy()
  }

  /** Calls `onLate` once after `ms`, unless `disarm` or another `arm` comes before. */
  arm(ms: number, onLate: () => void): void {
    this.#onLate = onLate
    // One timer for the connection's life, refreshed: a new one for each request would cost ten times that.
    if (this.#timer !== undefined && this.#timerMs === ms) return void this.#timer.refresh()
    clearTimeout(this.#timer)
    this.#timerMs = ms
    this.#timer = setTimeout(() => {
      const late = this.#onLate
      this.#onLate = undefined
      late?.()
    }, ms)
    this.#timer.unref()
  }

  disarm(): void {
    this.#onLate = undefined
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#onClosed(this)
    const user = this.#user
    this.#user = undefined
    user?.onGone(this.#error)
  }
}
