import { Duplex, pipeline, Transform, type TransformCallback } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import type { Ending } from '../ending.ts'
import type { Notes } from '../notes.ts'
import { refusal, Refusal } from '../refusal.ts'
import { FrameBoundary } from './frame-boundary.ts'
import type { AnswerRecorders } from './recorders.ts'
import type { BodyRecorder } from './record-body.ts'
import type { Redactor } from './redactor.ts'
import { createTextKeys, type TextKeys } from './text-keys.ts'
import { closeFrame, FrameFault } from './websocket-frames.ts'
import { WebSocketRewriter } from './websocket-rewriter.ts'

export interface SocketWatch {
  readonly redactor: Redactor | undefined
  /** Keys for the client's messages; undefined where they pass unread. */
  readonly texts: TextKeys | undefined
  /** What the upstream sends. */
  readonly recorders: AnswerRecorders
  readonly notes: Notes
  readonly ending: Ending
}

/**
 * A connection that was switched to WebSocket: its bytes pass both ways, recorded as they are framed, keys put in on
 * their way up and masked on their way down. `sent` sees what the client sends. Its receipt closes when both
 * directions have.
 */
export function watchSocket(socket: Duplex, sent: BodyRecorder, watch: SocketWatch): Duplex {
  const { recorders, notes, ending } = watch
  const toClient = new Passing(recorders.delivered, downwards(watch))
  const toUpstream = new Passing(sent, upwards(watch))
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
  toUpstream.onRefused = (refused) => {
    cause = refused
    toClient.endWith(closeFrame(POLICY_VIOLATION, refused.code, false))
    toClient.once('end', () => socket.destroy())
  }
  if (notes.status === SWITCHED) ending.onFarewell((code) => sayGoodbye(toClient, code))
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

/** RFC 6455, 7.4.1. */
const POLICY_VIOLATION = 1008
/** Any other connection that is watched is a tunnel: it has no frames. */
const SWITCHED = 101
/** A client that does not read by then sees its connection break. */
const GOODBYE_MS = 200

/** Closes the WebSocket on its client, unless a frame is half sent: there only breaking off is left. */
async function sayGoodbye(toClient: Passing, code: string): Promise<void> {
  if (!toClient.betweenFrames) return
  const said = new Promise((resolve) => void toClient.once('end', resolve))
  toClient.endWith(closeFrame(POLICY_VIOLATION, code, false))
  await Promise.race([said.then(() => nextTurn()), delay(GOODBYE_MS)])
}

function downwards({ redactor, texts }: SocketWatch): WebSocketRewriter | undefined {
  if (redactor === undefined && texts === undefined) return undefined
  return new WebSocketRewriter({
    fromClient: false,
    message: () => redactor?.stream(),
    control(payload) {
      const stream = redactor?.stream()
      return stream === undefined ? payload : Buffer.concat([stream.push(payload), stream.flush()])
    },
  })
}

function upwards({ texts }: SocketWatch): WebSocketRewriter | undefined {
  if (texts === undefined) return undefined
  return new WebSocketRewriter({
    fromClient: true,
    message: (kind) => (kind === 'text' ? createTextKeys(texts) : undefined),
    control: (payload) => payload,
  })
}

/** A switched connection ends when one side leaves: that is its usual end, not a fault. */
function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** Frames that cannot be read are refused to whom they came from; another error stays what it is. */
function refusalOf(error: unknown, sender: 'client' | 'upstream'): Error {
  if (!(error instanceof FrameFault))
    return error instanceof Error ? error : new Error(String(error))
  const code = sender === 'client' ? 'malformed_request' : 'upstream_invalid'
  return refusal(code, 'websocket', {
    got: error.message,
    repair: 'send the frames of RFC 6455, without extensions',
  })
}

class Passing extends Transform {
  /** Told where what passes is refused; nothing passes from then on. */
  onRefused: ((refused: Refusal) => void) | undefined
  readonly #recorder: BodyRecorder
  readonly #rewriter: WebSocketRewriter | undefined
  readonly #boundary = new FrameBoundary()
  #over = false

  constructor(recorder: BodyRecorder, rewriter: WebSocketRewriter | undefined) {
    super()
    this.#recorder = recorder
    this.#rewriter = rewriter
  }

  /** Whether all that was passed on is whole frames; a rewriter gives nothing else. */
  get betweenFrames(): boolean {
    return this.#boundary.between
  }

  /** Gives one last piece and drops what is still to come. */
  endWith(piece: Buffer): void {
    if (this.#over) return
    this.#over = true
    this.push(piece)
    this.push(null)
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#over) return done()
    try {
      this.#pass(chunk, done)
    } catch (error) {
      const refused = refusalOf(error, this.onRefused === undefined ? 'upstream' : 'client')
      if (this.onRefused === undefined || !(refused instanceof Refusal)) return done(refused)
      this.#over = true
      this.onRefused(refused)
      done()
    }
  }

  /** What the client sent is recorded as it came: it has placeholders where the upstream gets keys. */
  #pass(chunk: Buffer, done: TransformCallback): void {
    const piece = this.#rewriter === undefined ? chunk : this.#rewriter.push(chunk)
    const recorded = this.onRefused === undefined ? piece : chunk
    const room = recorded.length === 0 || this.#recorder.write(recorded)
    const give = () => {
      if (piece.length === 0 || this.#over) return done()
      if (this.#rewriter === undefined) this.#boundary.pass(piece)
      done(null, piece)
    }
    if (room) give()
    else this.#recorder.drained().then(give, done)
  }
}
