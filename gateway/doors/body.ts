import { Readable } from 'node:stream'
import { ClientGone } from '../client-gone.ts'
import type { Refusal } from '../refusal.ts'

const UNREADABLE = Symbol('unreadable')

/** Says of a body that its rest cannot be read: who reads what was lent of it, now or later, gets this for an error. */
export function breakBody(source: Readable, why: Refusal): void {
  source.emit(UNREADABLE, why)
}

/**
 * A request's body, lent to the exchange. Whoever reads it may destroy it, as `pipeline` does when the upstream
 * fails: the client's connection stays, since the answer has yet to go out on it. Nothing is read before it is asked for.
 */
export function lendBody(source: Readable): Readable {
  return new LentBody(source)
}

class LentBody extends Readable {
  readonly #source: Readable
  #started = false
  readonly #onData = (chunk: Buffer) => {
    if (!this.push(chunk)) this.#source.pause()
  }
  readonly #onEnd = () => this.push(null)
  readonly #onGone = () => {
    if (!this.#source.readableEnded) this.destroy(new ClientGone())
  }

  constructor(source: Readable) {
    super()
    this.#source = source
    // It may come before anybody listens; whoever reads still sees it.
    this.on('error', () => {})
    source.once(UNREADABLE, (why: Refusal) => this.destroy(why))
  }

  override _read(): void {
    if (!this.#started) this.#start()
    this.#source.resume()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const source = this.#source
    if (this.#started) {
      source.off('data', this.#onData).off('end', this.#onEnd)
      source.off('close', this.#onGone)
      source.pause()
    }
    done(error)
  }

  #start(): void {
    this.#started = true
    const source = this.#source
    // A stream of HTTP/2 whose body is empty has ended before anybody reads it.
    if (source.readableEnded) return void this.push(null)
    if (source.destroyed) return void process.nextTick(this.#onGone)
    source.on('data', this.#onData).once('end', this.#onEnd)
    source.once('close', this.#onGone)
  }
}

/**
 * Reads and drops what is left of a body that nobody wants, within bounds, so that a client that is still sending
 * gets to read its answer instead of a reset. Resolves to whether the body came to its end.
 */
export function drainBody(
  source: Readable,
  limits: { readonly drainMs: number; readonly drainBytes: number },
): Promise<boolean> {
  return new Promise((resolve) => {
    let dropped = 0
    const onData = (chunk: Buffer) => {
      dropped += chunk.length
      if (dropped > limits.drainBytes) finish(false)
    }
    const onEnd = () => finish(true)
    const onClose = () => finish(source.readableEnded)
    const timer = setTimeout(() => finish(false), limits.drainMs)
    const finish = (whole: boolean) => {
      clearTimeout(timer)
      source.off('data', onData).off('end', onEnd).off('close', onClose)
      resolve(whole)
    }
    if (source.destroyed) return finish(source.readableEnded)
    source.on('data', onData).once('end', onEnd).once('close', onClose)
    source.resume()
  })
}
