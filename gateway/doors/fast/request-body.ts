import { Readable } from 'node:stream'

/** The connection that a body comes on. */
export interface BodySource {
  /** Lets bytes come. */
  resume(): void
  pause(): void
}

/** A request's body of a known length, cut out of its connection. It reads nothing before it is asked for. */
export class RequestStream extends Readable {
  readonly #source: BodySource
  #left: number

  constructor(length: number, source: BodySource) {
    super()
    this.#left = length
    this.#source = source
  }

  /** Whether all of it has come. */
  get whole(): boolean {
    return this.#left === 0
  }

  /** Takes what is the body's of these bytes, and gives how many that were. */
  give(bytes: Buffer): number {
    const mine = bytes.length <= this.#left ? bytes : bytes.subarray(0, this.#left)
    this.#left -= mine.length
    if (!this.push(mine)) this.#source.pause()
    if (this.#left === 0) this.push(null)
    return mine.length
  }

  override _read(): void {
    if (this.#left > 0) this.#source.resume()
  }
}
