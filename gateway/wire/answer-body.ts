import { Transform, type TransformCallback } from 'node:stream'
import type { BodyRecorder } from './record-body.ts'

/** One step that bytes take on their way; it may hold some back until more have come. */
export interface Step {
  push(chunk: Buffer): readonly Uint8Array[]
  end(): readonly Uint8Array[]
}

export interface AnswerBodyOptions {
  /** Masks keys; absent on routes without any. */
  readonly redact?: Step
  /** Sees the answer after redaction and before projection. */
  readonly upstream?: BodyRecorder
  readonly project?: Step
  /** Sees what the client gets. */
  readonly delivered: BodyRecorder
  /** Length of what is delivered, where it is known beforehand: its last byte is the last piece. */
  readonly length: number | undefined
  /** Awaited before the last piece is released: the outcome is durable by then (strict mode). */
  readonly beforeLast: () => Promise<void>
}

/**
 * The answer's body on its way to the client: redacted, recorded, projected, measured, in this order and in one
 * stream, since every further stream costs microseconds. Bytes go on as they come, so that events stay live;
 * only the piece that lets the client know that the answer is whole waits for the ledger.
 */
export class AnswerBody extends Transform {
  readonly #options: AnswerBodyOptions
  #left: number
  #held: Buffer | undefined

  constructor(options: AnswerBodyOptions) {
    super()
    this.#options = options
    this.#left = options.length ?? Number.POSITIVE_INFINITY
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      const { redact } = this.#options
      const wait = redact === undefined ? this.#take(chunk) : this.#takeAll(redact.push(chunk))
      if (wait === undefined) done()
      else wait.then(() => done(), done)
    } catch (error) {
      done(asError(error))
    }
  }

  override _flush(done: TransformCallback): void {
    this.#finish().then(
      () => done(),
      (error: unknown) => done(asError(error)),
    )
  }

  async #finish(): Promise<void> {
    const { redact, project, beforeLast } = this.#options
    if (redact !== undefined) await this.#takeAll(redact.end())
    if (project !== undefined) await this.#deliverAll(project.end())
    await beforeLast()
    if (this.#held !== undefined) this.push(this.#held)
  }

  #takeAll(chunks: readonly Uint8Array[]): Promise<void> | undefined {
    let wait: Promise<void> | undefined
    for (const chunk of chunks) wait = join(wait, this.#take(asBuffer(chunk)))
    return wait
  }

  #take(chunk: Buffer): Promise<void> | undefined {
    const { upstream, project } = this.#options
    const room = upstream === undefined || upstream.write(chunk)
    const sent =
      project === undefined ? this.#deliver(chunk) : this.#deliverAll(project.push(chunk))
    return room ? sent : join(upstream.drained(), sent)
  }

  #deliverAll(chunks: readonly Uint8Array[]): Promise<void> | undefined {
    let wait: Promise<void> | undefined
    for (const chunk of chunks) wait = join(wait, this.#deliver(asBuffer(chunk)))
    return wait
  }

  #deliver(chunk: Buffer): Promise<void> | undefined {
    if (chunk.length === 0) return undefined
    const { delivered } = this.#options
    const room = delivered.write(chunk)
    this.#left -= chunk.length
    if (this.#left <= 0)
      this.#held = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk])
    else this.push(chunk)
    return room ? undefined : delivered.drained()
  }
}

function join(
  first: Promise<void> | undefined,
  second: Promise<void> | undefined,
): Promise<void> | undefined {
  if (first === undefined) return second
  return second === undefined ? first : first.then(() => second)
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk)
    ? chunk
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
