import { request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { createAnswerBody } from './answer-body.ts'
import { Fault, toFault } from './fault.ts'
import { frameRequest, valuesOf, wireTarget } from './framing.ts'
import type { Framing } from './framing.ts'
import { createInterimCount } from './interim.ts'
import { isDead } from './pool.ts'
import type { Pool, PooledOptions } from './pool.ts'
import type { Answer, RawHeaders, UpstreamRequest } from './port.ts'
import { pumpBody } from './request-body.ts'
import type { Plan } from './route.ts'
import { authorityOf } from './target.ts'
import { createTimer } from './timer.ts'
import type { Timer } from './timer.ts'

/** What an attempt came to know before it failed; the retry rule reads it. */
export interface AttemptNotes {
  /** The connection had served a request before. */
  reused: boolean
  /** Bytes of the body were asked of the client, so that they can not be sent again. */
  bodyBegan: boolean
  /** At least one byte of an answer came. */
  answerBegan: boolean
}

/** An upstream that does not answer an Expect is sent the body all the same (RFC 9110 10.1.1). */
const EXPECT_MS = 1_000
const MAX_HEAD_BYTES = 65_536

interface AttemptParts {
  readonly request: UpstreamRequest
  readonly plan: Plan
  readonly pool: Pool
  readonly notes: AttemptNotes
}

/**
 * One request on one connection. `run` rejects with a Fault until the head has come; from then on faults come
 * through the answer's body. A TypeError is a request that can not be written unambiguously.
 */
export class Attempt {
  readonly #request: UpstreamRequest
  readonly #plan: Plan
  readonly #pool: Pool
  readonly #notes: AttemptNotes
  readonly #framing: Framing
  readonly #peer: string
  readonly #headTimer: Timer
  readonly #expectTimer = createTimer(EXPECT_MS, () => this.#sendBody())
  readonly #onAbort = () => this.#fail(this.#gone())
  #client!: ClientRequest
  #settle!: { readonly resolve: (answer: Answer) => void; readonly reject: (fault: Fault) => void }
  #sent: Fault['sent'] = 'no'
  #readBefore = 0
  #answered = false
  #body: Readable | undefined
  #stopPump = () => {}
  readonly #interim = createInterimCount()

  constructor(parts: AttemptParts) {
    this.#request = parts.request
    this.#plan = parts.plan
    this.#pool = parts.pool
    this.#notes = parts.notes
    this.#framing = frameRequest(parts.request, parts.plan)
    this.#peer = authorityOf(parts.plan.origin)
    this.#headTimer = createTimer(parts.request.timeouts.head, () => this.#fail(this.#late()))
  }

  run(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#client = this.#open()
      this.#client
        .on('socket', (socket: Socket) => this.#onSocket(socket))
        .on('continue', () => this.#sendBody())
        .on('information', (info) => this.#onInformation(info.statusCode, info.rawHeaders))
        .on('response', (message) => this.#onResponse(message))
        .on('upgrade', (message, socket: Socket, first) => this.#onUpgrade(message, socket, first))
        .on('error', (error) => this.#fail(toFault(error, this.#sent, this.#peer)))
      const { signal } = this.#request
      signal.addEventListener('abort', this.#onAbort, { once: true })
      if (signal.aborted) this.#onAbort()
    })
  }

  #open(): ClientRequest {
    const { method, signal, timeouts } = this.#request
    const options: PooledOptions = {
      agent: this.#pool,
      method,
      path: wireTarget(this.#request, this.#plan),
      headers: this.#framing.headers,
      setHost: false,
      maxHeaderSize: MAX_HEAD_BYTES,
      plan: this.#plan,
      dial: { signal, timeout: timeouts.connect },
    }
    return httpRequest(options)
  }

  #onSocket(socket: Socket): void {
    this.#notes.reused = this.#client.reusedSocket
    if (isDead(socket)) {
      return this.#fail(
        new Fault(
          'upstream_failed',
          `${this.#peer} closed an idle connection, \`closed\`; send again`,
          {
            sent: 'no',
            transient: true,
          },
        ),
      )
    }
    this.#sent = 'unknown'
    this.#readBefore = socket.bytesRead
    this.#headTimer.start()
    if (this.#request.body === null) this.#client.end()
    else if (!this.#framing.expects) this.#sendBody()
    else {
      this.#client.flushHeaders()
      this.#expectTimer.start()
    }
  }

  #sendBody(): void {
    const { body, trailers = () => [] } = this.#request
    this.#expectTimer.stop()
    if (body === null || this.#notes.bodyBegan || this.#answered) return
    this.#notes.bodyBegan = true
    // Where a first piece lies ready it leaves together with the head.
    if (body.readableLength === 0) this.#client.flushHeaders()
    this.#stopPump = pumpBody(body, this.#client, {
      length: this.#framing.length,
      onEnd: () => this.#endBody(trailers),
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

  /** Trailer fields exist in chunked framing only (RFC 9112 7.1.2). */
  #endBody(trailers: () => RawHeaders): void {
    const fields = this.#framing.length === undefined ? trailers() : []
    const pairs: [string, string][] = []
    for (let i = 0; i + 1 < fields.length; i += 2)
      pairs.push([fields[i] ?? '', fields[i + 1] ?? ''])
    if (pairs.length > 0) this.#client.addTrailers(pairs)
    this.#client.end()
  }

  #onInformation(status: number, headers: readonly string[]): void {
    if (!this.#interim.take(headers)) return this.#fail(this.#invalid('endless `1xx` answers'))
    // 100 is about this hop: it released the body above, and the client has its own.
    if (status === 100) return
    try {
      this.#request.onInformation?.(status, headers)
    } catch {
      // Nobody above the parser could catch it, and the answer itself is still to come.
    }
  }

  #onResponse(message: IncomingMessage): void {
    const { statusCode = 0, httpVersion } = message
    if (httpVersion !== '1.1' && httpVersion !== '1.0') {
      return this.#fail(this.#invalid(`version \`${httpVersion}\``))
    }
    if (statusCode < 200 || statusCode > 999) {
      return this.#fail(this.#invalid(`status \`${statusCode}\``))
    }
    const codings = valuesOf(message.rawHeaders, 'transfer-encoding')
    if (codings.length > 1 || (codings[0] ?? 'chunked').toLowerCase() !== 'chunked') {
      return this.#fail(this.#invalid(`transfer-encoding \`${codings.join(', ')}\``))
    }
    const socket = message.socket
    const body = createAnswerBody(message, {
      peer: this.#peer,
      idle: this.#request.timeouts.idle,
      onClose: () => this.#onBodyClosed(message),
    })
    // A fault may come before anybody listens; whoever reads the body still sees it.
    body.on('error', () => {})
    this.#body = body
    this.#answer(message, socket, body)
  }

  #onUpgrade(message: IncomingMessage, socket: Socket, first: Buffer): void {
    if (!this.#request.upgrade) {
      socket.destroy()
      return this.#fail(this.#invalid('status `101` without having been asked'))
    }
    if (first.length > 0) socket.unshift(first)
    socket.setTimeout(0)
    const { signal } = this.#request
    const onAbort = () => socket.destroy()
    signal.removeEventListener('abort', this.#onAbort)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('close', () => signal.removeEventListener('abort', onAbort))
    this.#answer(message, socket, Readable.from([]), socket)
  }

  #answer(message: IncomingMessage, socket: Socket, body: Readable, upgraded?: Socket): void {
    this.#answered = true
    this.#headTimer.stop()
    this.#expectTimer.stop()
    this.#settle.resolve({
      status: message.statusCode ?? 0,
      statusText: message.statusMessage ?? '',
      headers: message.rawHeaders,
      body,
      trailers: () => message.rawTrailers,
      address: this.#pool.addressOf(socket),
      ...(upgraded === undefined ? {} : { socket: upgraded }),
    })
  }

  #onBodyClosed(message: IncomingMessage): void {
    this.#cleanUp()
    // An answer that was cut, or that came before the whole request was written, leaves a connection in between.
    if (!message.complete || !this.#client.writableEnded) this.#client.destroy()
  }

  #fail(fault: Fault): void {
    if (this.#answered) {
      this.#body?.destroy(fault)
      return
    }
    this.#notes.answerBegan = (this.#client.socket?.bytesRead ?? 0) > this.#readBefore
    this.#cleanUp()
    this.#client.destroy()
    this.#settle.reject(fault)
  }

  #cleanUp(): void {
    this.#headTimer.stop()
    this.#expectTimer.stop()
    this.#stopPump()
    this.#request.signal.removeEventListener('abort', this.#onAbort)
  }

  #late(): Fault {
    const ms = this.#request.timeouts.head
    const text = `${this.#peer} gave no answer within \`${ms}\` ms; raise the head timeout or ask for less`
    return new Fault('upstream_timeout', text, { sent: 'unknown' })
  }

  #gone(): Fault {
    const text = `the call to ${this.#peer} was given up, \`aborted\`; nothing to repair`
    return new Fault('upstream_failed', text, { sent: this.#sent })
  }

  #invalid(got: string): Fault {
    const text = `${this.#peer} answered with ${got}; check what listens there`
    return new Fault('upstream_invalid', text, { sent: 'unknown' })
  }
}
