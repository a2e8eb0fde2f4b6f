import { Transform, type TransformCallback } from 'node:stream'
import type { BodyNote } from '../outcome.ts'
import type { BodyRecorder } from './record-body.ts'

/** A request's body on its way upstream: recorded as it passes, in constant memory. */
export class RequestBody extends Transform {
  readonly #recorder: BodyRecorder
  #whole = false

  constructor(recorder: BodyRecorder) {
    super()
    this.#recorder = recorder
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#recorder.write(chunk)) done(null, chunk)
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
