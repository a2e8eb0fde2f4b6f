import { Transform, type TransformCallback } from 'node:stream'
import type { BodyNote } from '../outcome.ts'
import type { BodyRecorder } from './record-body.ts'

interface RequestBodyOptions {
  /** What is recorded in place of a body of one piece: without the keys that were put into that. */
  readonly seen?: Buffer | undefined
  /** Looks at each piece before it goes on; what it throws ends the body. */
  readonly lookout?: ((chunk: Buffer) => void) | undefined
}

/** A request's body on its way upstream: recorded as it passes, in constant memory. */
export class RequestBody extends Transform {
  readonly #recorder: BodyRecorder
  readonly #options: RequestBodyOptions
  #whole = false

  constructor(recorder: BodyRecorder, options: RequestBodyOptions = {}) {
    super()
    this.#recorder = recorder
    this.#options = options
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const { seen, lookout } = this.#options
    try {
      lookout?.(chunk)
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)))
    }
    if (this.#recorder.write(seen ?? chunk)) done(null, chunk)
    else this.#recorder.drained().then(() => done(null, chunk), done)
  }

  override _flush(done: TransformCallback): void {
    this.#whole = true
    done()
  }

  /** What passed; truncated where the exchange ended before the body did. */
  finish(): Promise<BodyNote> {
    return this.#recorder.finish(!this.#whole)
  }
}
