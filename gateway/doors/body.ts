import { Readable } from 'node:stream'
import { ClientGone } from '../client-gone.ts'
import type { Limits } from '../limits.ts'
import { refusal } from '../refusal.ts'
import type { Refusal } from '../refusal.ts'

const UNREADABLE = Symbol('unreadable')
const UNWANTED = Symbol('unwanted')

/** Says of a body that its rest cannot be read: who reads what was lent of it, now or later, gets this for an error. */
export function breakBody(source: Readable, why: Refusal): void {
  source.emit(UNREADABLE, why)
}

/**
 * A request's body, lent to the exchange. Whoever reads it may destroy it, as `pipeline` does when the upstream
 * fails: the client's connection stays, since the answer has yet to go out on it. Nothing is read before it is asked for.
 */
export function lendBody(source: Readable, limits: Pick<Limits, 'bodyMs'>): LentBody {
  return new LentBody(source, limits.bodyMs)
}

/** What is said of a body that trickles in. */
function tooSlow(ms: number): Refusal {
  return refusal('malformed_request', 'request', {
    got: `no whole body within ${ms} ms`,
    repair: 'send the body faster, or in parts; the operator sets limits.body_ms',
    status: 408,
    closes: true,
  })
}

export class LentBody extends Readable {
  readonly #source: Readable
  readonly #ms: number
  #timer: NodeJS.Timeout | undefined
  #started = false
  readonly #onData = (chunk: Buffer) => {
    if (!this.push(chunk)) this.#source.pause()
  }
  readonly #onEnd = () => {
    this.untimed()
    this.push(null)
  }
  readonly #onGone = () => {
    if (!this.#source.readableEnded) this.destroy(new ClientGone())
  }

  constructor(source: Readable, ms: number) {
    super()
    this.#source = source
    this.#ms = ms
    // It may come before anybody listens; whoever reads still sees it.
    this.on('error', () => {})
    source.once(UNREADABLE, (why: Refusal) => this.destroy(why))
    source.once(UNWANTED, () => this.destroy())
  }

  /** It may take any time from now on: the answer is on its way, and the two may depend on one another. */
  untimed(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  override _read(): void {
    if (!this.#started) this.#start()
    this.#source.resume()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const source = this.#source
    this.untimed()
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
    // However busily bytes trickle in; silence is the idle timers' business.
    this.#timer = setTimeout(() => this.destroy(tooSlow(this.#ms)), this.#ms).unref()
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
  // Whoever it was lent to would hold it up: the answer is written, and nobody reads on.
  source.emit(UNWANTED)
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
