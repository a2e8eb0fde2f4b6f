import { connect, constants } from 'node:http2'
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'
import type { Dialled } from '../dial.ts'
import { Fault } from '../fault.ts'
import type { CallerSignal } from '../port.ts'
import { authorityOf } from '../target.ts'
import type { Plan } from '../route.ts'
import { watchForLoss } from './loss.ts'

/** An upstream says that it closes (GOAWAY), so that an idle connection may live longer than one of HTTP/1.1. */
const IDLE_MS = 30_000
const MAX_HEAD_BYTES = 65_536
/** By default an answer gets 64 KiB a round trip. */
const WINDOW_BYTES = 1_048_576
/** In MB. Each stream may hold a window, and Node refuses new ones where all together hold more than this. */
const SESSION_MEMORY = 256
/** What a stream that was cancelled still had to send stays counted against that; so none is used for ever. */
const MOST_EXCHANGES = 2_000

interface SessionOptions {
  readonly signal: CallerSignal
  /** Milliseconds for the upstream's first word. */
  readonly timeout: number
  readonly onClosed: (session: Session) => void
}

/** A connection that speaks HTTP/2 and serves many exchanges at a time. */
export class Session {
  /** What was dialled, `ip:port`. */
  readonly address: string
  readonly key: string
  readonly #session: ClientHttp2Session
  #held = 0
  #exchanges = 0
  #retired = false
  /** The last stream that the upstream took up, once it has said so. */
  #lastStream = Number.POSITIVE_INFINITY

  private constructor(session: ClientHttp2Session, dialled: Dialled, plan: Plan) {
    this.#session = session
    this.address = dialled.address
    this.key = plan.key
    session.on('goaway', (_code, lastStream) => {
      this.#lastStream = lastStream
    })
    session.setTimeout(IDLE_MS, () => {
      if (this.#held === 0) session.close()
    })
  }

  /** Waits for the upstream's settings, which say how much it takes at a time. */
  static async open(plan: Plan, dialled: Dialled, options: SessionOptions): Promise<Session> {
    const peer = authorityOf(plan.origin)
    const inner = connect(`https://${peer}`, {
      createConnection: () => dialled.socket,
      // What one client's request left in the compression's table would be there for the next one's (RFC 7541, 7.1).
      maxDeflateDynamicTableSize: 0,
      maxSessionMemory: SESSION_MEMORY,
      settings: {
        enablePush: false,
        initialWindowSize: WINDOW_BYTES,
        maxHeaderListSize: MAX_HEAD_BYTES,
      },
    })
    const session = new Session(inner, dialled, plan)
    inner.on('error', () => {})
    watchForLoss(dialled)
    inner.once('close', () => options.onClosed(session))
    await firstWord(inner, peer, options)
    return session
  }

  /** Whether it takes one more exchange. */
  get isFree(): boolean {
    const { closed, destroyed, remoteSettings } = this.#session
    const { maxConcurrentStreams = Number.POSITIVE_INFINITY } = remoteSettings
    const isUsable = !closed && !destroyed && !this.#retired
    return isUsable && this.#held < maxConcurrentStreams
  }

  /** Whether there was an exchange on it before the last one. */
  get reused(): boolean {
    return this.#exchanges > 1
  }

  /** Takes a place for one exchange; `letGo` gives it back. */
  hold(): this {
    this.#held += 1
    this.#exchanges += 1
    if (this.#exchanges === MOST_EXCHANGES) this.#retired = true
    this.#session.ref()
    return this
  }

  /** Takes no more exchanges, and closes after those that it has. */
  retire(): void {
    this.#retired = true
    if (this.#held === 0) this.#session.close()
  }

  letGo(): void {
    this.#held -= 1
    if (this.#held > 0 || this.#session.destroyed) return
    if (this.#retired) this.#session.close()
    else this.#session.unref()
  }

  /** Throws a TypeError for fields that HTTP/2 cannot carry. */
  request(
    fields: OutgoingHttpHeaders,
    options: { readonly endStream: boolean; readonly waitForTrailers: boolean },
  ): ClientHttp2Stream {
    try {
      return this.#session.request(fields, options)
    } catch (error) {
      this.letGo()
      if (!this.#session.closed && !this.#session.destroyed) throw error
      const text = 'the connection closed before the request went out, `closed`; send again'
      throw new Fault('upstream_failed', text, { sent: 'no', transient: true, cause: error })
    }
  }

  /** Whether the upstream is known not to have looked at a stream (RFC 9113, 8.7). */
  neverTook({ id, rstCode }: ClientHttp2Stream): boolean {
    return rstCode === constants.NGHTTP2_REFUSED_STREAM || (id ?? 0) > this.#lastStream
  }

  destroy(): void {
    this.#session.destroy()
  }
}

function firstWord(
  session: ClientHttp2Session,
  peer: string,
  { signal, timeout }: SessionOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () =>
      fail(
        'upstream_failed',
        `the connection to ${peer} was given up, \`aborted\`; nothing to repair`,
      )
    const timer = setTimeout(
      () =>
        fail(
          'upstream_timeout',
          `no word of HTTP/2 from ${peer} within \`${timeout}\` ms; raise the connect timeout or check the path`,
        ),
      timeout,
    )
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      session.off('close', onClose)
    }
    const fail = (code: Fault['code'], text: string, transient = false) => {
      finish()
      session.destroy()
      reject(new Fault(code, text, { sent: 'no', transient }))
    }
    const onClose = () =>
      fail(
        'upstream_failed',
        `${peer} agreed on HTTP/2 and hung up before a word of it, \`closed\`; check what listens there`,
        true,
      )
    signal.addEventListener('abort', onAbort, { once: true })
    session.once('close', onClose)
    session.once('remoteSettings', () => {
      finish()
      resolve()
    })
    if (signal.aborted) onAbort()
  })
}
