import { Readable } from 'node:stream'

/** What an answer's stream asks of its exchange. */
export interface StreamOwner {
  /** Bytes are wanted. */
  want(): void
  /** Nobody takes what came: let no more come. */
  hold(): void
  /** It has ended, broken off or been given up; called once. */
  closed(): void
}

/** The body of an answer that did not come in one piece, with faults for errors. */
export class AnswerStream extends Readable {
  readonly #owner: StreamOwner

  constructor(owner: StreamOwner) {
    super()
    this.#owner = owner
    // A fault may come before anybody listens; whoever reads the body still sees it.
    this.on('error', () => {})
  }

  give(piece: Buffer): void {
    if (!this.push(piece)) this.#owner.hold()
  }

  override _read(): void {
    this.#owner.want()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#owner.closed()
    done(error)
  }
}
