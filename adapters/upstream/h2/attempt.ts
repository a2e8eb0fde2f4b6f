import { STATUS_CODES } from 'node:http'
import { constants } from 'node:http2'
import type { ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import type { Readable } from 'node:stream'
import { groupFields, plainFields } from '../../../catalog/index.ts'
import { createAnswerBody } from '../answer-body.ts'
import type { AttemptNotes } from '../attempt.ts'
import { Fault } from '../fault.ts'
import { frameRequest } from '../framing.ts'
import type { Framing } from '../framing.ts'
import { createInterimCount } from '../interim.ts'
import type { Answer, RawHeaders, UpstreamRequest } from '../port.ts'
import { pumpBody } from '../request-body.ts'
import type { Plan } from '../route.ts'
import { authorityOf } from '../target.ts'
import { createTimer } from '../timer.ts'
import type { Timer } from '../timer.ts'
import { headFields, messageFields } from './head.ts'
import type { Session } from './session.ts'
import { asksForCalm, asksForHttp1, streamFault } from './stream-fault.ts'
import { watchEnd } from './whole.ts'

/** An upstream that does not answer an Expect is sent the body all the same (RFC 9110 10.1.1). */
const EXPECT_MS = 1_000
const EMPTY = Buffer.alloc(0)

interface Http2AttemptParts {
  readonly request: UpstreamRequest
  readonly plan: Plan
  readonly notes: AttemptNotes
}

/**
 * One request on one stream; the same promises as Attempt's: `run` rejects with a Fault until the head has come, from
 * then on faults come through the answer's body.
 */
export class Http2Attempt {
  readonly #request: UpstreamRequest
  readonly #plan: Plan
  readonly #notes: AttemptNotes
  readonly #framing: Framing
  readonly #peer: string
  readonly #interim = createInterimCount()
  readonly #headTimer: Timer
  readonly #expectTimer = createTimer(EXPECT_MS, () => this.#sendBody())
  readonly #onAbort = () => this.#fail(this.#gone())
  #session!: Session
  #stream!: ClientHttp2Stream
  #settle!: { readonly resolve: (answer: Answer) => void; readonly reject: (fault: Fault) => void }
  #answered = false
  #hasEnded = () => false
  #whole = false
  #wantsHttp1 = false
  #body: Readable | undefined
  #trailers: RawHeaders = []
  #stopPump = () => {}

  constructor({ request, plan, notes }: Http2AttemptParts) {
    this.#request = request
    this.#plan = plan
    this.#notes = notes
    this.#framing = frameRequest(request, plan)
    this.#peer = authorityOf(plan.origin)
    this.#headTimer = createTimer(request.timeouts.head, () => this.#fail(this.#late()))
  }

  /** A place on the session is held for this attempt, which gives it back. */
  run(session: Session): Promise<Answer> {
    this.#session = session
    this.#notes.reused = session.reused
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#stream = this.#open()
      const { signal, body } = this.#request
      signal.addEventListener('abort', this.#onAbort, { once: true })
      if (signal.aborted) return this.#onAbort()
      this.#headTimer.start()
      if (body === null) return
      if (this.#framing.expects) this.#expectTimer.start()
      else this.#sendBody()
    })
  }

  /** Whether the upstream asked for HTTP/1.1 in place of this stream. */
  get wantsHttp1(): boolean {
    return this.#wantsHttp1
  }

  #open(): ClientHttp2Stream {
    const bodied = this.#request.body !== null
    const fields = headFields(this.#request, this.#plan, this.#framing)
    const stream = this.#session.request(fields, { endStream: !bodied, waitForTrailers: bodied })
    this.#hasEnded = watchEnd(stream)
    return stream
      .on('continue', () => this.#sendBody())
      .on('headers', (head, _flags, raw?: string[]) => this.#onInformation(head, raw ?? []))
      .on('response', (head, flags, raw?: string[]) => this.#onResponse(head, flags, raw ?? []))
      .on('trailers', (_fields, _flags, raw?: string[]) => {
        this.#trailers = plainFields(raw ?? [])
      })
      .on('wantTrailers', () => this.#sendTrailers())
      .on('error', (error) => this.#fail(this.#broken(error)))
      .on('close', () => this.#onClose())
  }

  #sendBody(): void {
    const { body } = this.#request
    this.#expectTimer.stop()
    if (body === null || this.#notes.bodyBegan || this.#answered) return
    this.#notes.bodyBegan = true
    this.#stopPump = pumpBody(body, this.#stream, {
      length: this.#framing.length,
      onEnd: () => this.#stream.end(),
      onWaiting: () => this.#answered || this.#headTimer.start(),
      onIdle: () => this.#headTimer.stop(),
      onBroken: (why) =>
        this.#fail(
          new Fault('upstream_failed', `${why}, towards ${this.#peer}; send it whole`, {
            sent: 'unknown',
          }),
        ),
    })
  }

  #sendTrailers(): void {
    const { trailers = () => [] } = this.#request
    try {
      this.#stream.sendTrailers(groupFields(messageFields(trailers())))
    } catch {
      // Fields that HTTP/2 cannot carry; a request without them would look whole.
      this.#stream.close(constants.NGHTTP2_CANCEL)
    }
  }

  #onInformation(head: IncomingHttpHeaders, raw: RawHeaders): void {
    this.#notes.answerBegan = true
    const fields = plainFields(raw)
    if (!this.#interim.take(fields)) return this.#fail(this.#invalid('endless `1xx` answers'))
    const status = Number(head[':status'])
    // 100 is about this hop: it releases the body, and the client has its own.
    if (status === 100) return
    try {
      this.#request.onInformation?.(status, fields)
    } catch {
      // Nobody above the parser could catch it, and the answer itself is still to come.
    }
  }

  #onResponse(head: IncomingHttpHeaders, flags: number, raw: RawHeaders): void {
    const status = Number(head[':status'])
    if (!(status >= 200 && status <= 999)) return this.#fail(this.#invalid(`status \`${status}\``))
    const ended = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
    // Its end came with the head, which the client has to see in the same way: so gRPC tells of an error at once.
    const body = ended ? EMPTY : this.#readBody()
    this.#answered = true
    this.#headTimer.stop()
    this.#expectTimer.stop()
    this.#settle.resolve({
      status,
      statusText: STATUS_CODES[status] ?? '',
      headers: plainFields(raw),
      body,
      trailers: () => this.#trailers,
      address: this.#session.address,
    })
    if (!ended) return
    this.#whole = true
    this.#stream.resume()
    this.#onBodyClosed()
  }

  #readBody(): Readable {
    const stream = this.#stream
    const body = createAnswerBody(stream, {
      peer: this.#peer,
      idle: this.#request.timeouts.idle,
      onEnd: () => {
        this.#whole = this.#hasEnded()
        return this.#whole ? undefined : this.#broken(undefined)
      },
      onClose: () => this.#onBodyClosed(),
    })
    // A fault may come before anybody listens; whoever reads the body still sees it.
    body.on('error', () => {})
    this.#body = body
    return body
  }

  /** The answer came to its end, or nobody reads it any more: what is left of the request is not wanted. */
  #onBodyClosed(): void {
    this.#cleanUp()
    if (!this.#whole || !this.#stream.writableEnded) this.#stream.close(constants.NGHTTP2_CANCEL)
  }

  #onClose(): void {
    this.#session.letGo()
    if (!this.#whole) this.#fail(this.#broken(undefined))
    this.#cleanUp()
  }

  #fail(fault: Fault): void {
    if (this.#answered) return void this.#body?.destroy(fault)
    this.#answered = true
    this.#cleanUp()
    this.#stream.close(constants.NGHTTP2_CANCEL)
    this.#settle.reject(fault)
  }

  #cleanUp(): void {
    this.#headTimer.stop()
    this.#expectTimer.stop()
    this.#stopPump()
    this.#request.signal.removeEventListener('abort', this.#onAbort)
  }

  #broken(error: unknown): Fault {
    const stream = this.#stream
    this.#wantsHttp1 = asksForHttp1(stream.rstCode)
    if (asksForCalm(stream.rstCode)) this.#session.retire()
    return streamFault(error, {
      code: stream.rstCode,
      refused: !this.#notes.answerBegan && this.#session.neverTook(stream),
      peer: this.#peer,
    })
  }

  #late(): Fault {
    const ms = this.#request.timeouts.head
    const text = `${this.#peer} gave no answer within \`${ms}\` ms; raise the head timeout or ask for less`
    return new Fault('upstream_timeout', text, { sent: 'unknown' })
  }

  #gone(): Fault {
    const text = `the call to ${this.#peer} was given up, \`aborted\`; nothing to repair`
    return new Fault('upstream_failed', text, { sent: 'unknown' })
  }

  #invalid(got: string): Fault {
    const text = `${this.#peer} answered with ${got}; check what listens there`
    return new Fault('upstream_invalid', text, { sent: 'unknown' })
  }
}
