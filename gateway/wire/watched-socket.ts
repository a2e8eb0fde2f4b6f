import { Duplex, pipeline, Transform, type TransformCallback } from 'node:stream'
import type { Ending } from '../ending.ts'
import type { Notes } from '../notes.ts'
import type { AnswerRecorders } from './recorders.ts'
import type { BodyRecorder } from './record-body.ts'
import type { Redactor } from './redactor.ts'

export interface SocketWatch {
  readonly redactor: Redactor | undefined
  /** What the upstream sends. */
  readonly recorders: AnswerRecorders
  readonly notes: Notes
  readonly ending: Ending
}

/**
 * A connection that was switched to another protocol: its bytes pass both ways, recorded as they are framed, keys
 * masked on their way to the client. `sent` sees what the client sends. Its receipt closes when both directions have.
 */
export function watchSocket(socket: Duplex, sent: BodyRecorder, watch: SocketWatch): Duplex {
  const { redactor, recorders, notes, ending } = watch
  const toClient = new Passing(recorders.delivered, redactor)
  const toUpstream = new Passing(sent, undefined)
  let ends = 0
  let cause: unknown
  const ended = (error: unknown) => {
    cause ??= error
    ends += 1
    if (ends === 2) void close()
  }
  const close = async () => {
    notes.request = { finish: () => sent.finish(cause !== undefined) }
    await recorders.note(notes, cause !== undefined)
    const usual = cause === undefined || isHangUp(cause)
    if (usual && !ending.cut) await ending.complete()
    else await ending.broken(cause)
  }
  pipeline(socket, toClient, (error) => {
    if (error) toUpstream.destroy()
    ended(error ?? undefined)
  })
  pipeline(toUpstream, socket, (error) => {
    if (error) toClient.destroy()
    ended(error ?? undefined)
  })
  return Duplex.from({ readable: toClient, writable: toUpstream })
}

/** A switched connection ends when one side leaves: that is its usual end, not a fault. */
function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

class Passing extends Transform {
  readonly #recorder: BodyRecorder
  readonly #redact: ReturnType<Redactor['stream']> | undefined

  constructor(recorder: BodyRecorder, redactor: Redactor | undefined) {
    super()
    this.#recorder = recorder
    this.#redact = redactor?.stream()
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const piece = this.#redact === undefined ? chunk : this.#redact.push(chunk)
    if (piece.length === 0) done()
    else if (this.#recorder.write(piece)) done(null, piece)
    else this.#recorder.drained().then(() => done(null, piece), done)
  }

  override _flush(done: TransformCallback): void {
    const rest = this.#redact?.flush()
    if (rest === undefined || rest.length === 0) return done()
    this.#recorder.write(rest)
    done(null, rest)
  }
}
