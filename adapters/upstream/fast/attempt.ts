import type { AnswerHead } from '../../../catalog/index.ts'
import type { AttemptNotes } from '../attempt.ts'
import { Fault, toFault } from '../fault.ts'
import { frameRequest, wireTarget } from '../framing.ts'
import type { Framing } from '../framing.ts'
import { createInterimCount } from '../interim.ts'
import type { InterimCount } from '../interim.ts'
import type { Answer, UpstreamRequest } from '../port.ts'
import { pumpBody } from '../request-body.ts'
import type { Plan } from '../route.ts'
import { authorityOf } from '../target.ts'
import { AnswerReader } from './answer-reader.ts'
import type { AnswerSink } from './answer-reader.ts'
import { AnswerStream } from './answer-stream.ts'
import type { StreamOwner } from './answer-stream.ts'
import type { Link, LinkUser } from './link.ts'
import type { Links } from './links.ts'
import { requestHead } from './request-head.ts'

interface FastAttemptParts {
  readonly request: UpstreamRequest
  readonly plan: Plan
  readonly links: Links
  readonly notes: AttemptNotes
}

/** Whether the fast engine sends this: no upgrade, and no body that waits to be asked for or has trailers. */
export function isPlain({ upgrade, body, headers }: UpstreamRequest): boolean {
  if (upgrade) return false
  if (body === null) return true
  let length = false
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] as string).toLowerCase()
    if (name === 'expect') return false
    length ||= name === 'content-length'
  }
  return length
}

/**
 * One request on one connection of the fast engine; the same promises as Attempt's: `run` rejects with a Fault until
 * the head has come, from then on faults come through the answer's body.
 */
export class FastAttempt implements LinkUser, AnswerSink, StreamOwner {
  readonly #request: UpstreamRequest
  readonly #plan: Plan
  readonly #links: Links
  readonly #notes: AttemptNotes
  readonly #framing: Framing
  readonly #head: string
  readonly #reader: AnswerReader
  readonly #onAbort = () => this.#fail(this.#gone())
  #settle!: {
    readonly resolve: (answer: Answer) => void
    readonly reject: (error: unknown) => void
  }
  readonly #peer: string
  #link: Link | undefined
  #address = ''
  #interim: InterimCount | undefined
  #answer: AnswerHead | undefined
  /** Pieces that came before it was known whether more would. */
  #pieces: Buffer[] = []
  #stream: AnswerStream | undefined
  #written = false
  /** Whether the last bytes held some of the body: what drips in behind it is no sign of life. */
  #moved = false
  #ended = false
  #failed = false
  #stopPump: (() => void) | undefined

  constructor({ request, plan, links, notes }: FastAttemptParts) {
    this.#request = request
    this.#plan = plan
    this.#links = links
    this.#notes = notes
    this.#peer = authorityOf(plan.origin)
    this.#framing = frameRequest(request, plan)
    this.#head = requestHead(request.method, wireTarget(request, plan), this.#framing)
    this.#reader = new AnswerReader(request.method, this)
  }

  run(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      const { signal } = this.#request
      signal.addEventListener('abort', this.#onAbort, { once: true })
      if (signal.aborted) return this.#onAbort()
      const idle = this.#links.take(this.#plan)
      if (idle === undefined) void this.#dial()
      else this.#send(idle)
    })
  }

  async #dial(): Promise<void> {
    const { signal, timeouts } = this.#request
    try {
      const link = await this.#links.open(this.#plan, { signal, timeout: timeouts.connect })
      if (this.#failed) link.destroy()
      else this.#send(link)
    } catch (error) {
      if (!this.#failed) this.#fail(toFault(error, 'no', this.#peer))
    }
  }

  #send(link: Link): void {
    this.#link = link
    this.#address = link.address
    this.#notes.reused = link.reused
    link.use(this)
    this.#armHead()
    const { body } = this.#request
    if (body === null) {
      this.#written = true
      link.socket.write(this.#head, 'latin1')
      return
    }
    this.#notes.bodyBegan = true
    // Where a first piece lies ready it leaves together with the head.
    link.socket.cork()
    link.socket.write(this.#head, 'latin1')
    process.nextTick(() => link.socket.uncork())
    this.#stopPump = pumpBody(body, link.socket, {
      length: this.#framing.length,
      onWaiting: () => this.#answer !== undefined || this.#armHead(),
      // The timer is one for both: once the answer has begun it is the answer's.
      onIdle: () => this.#answer !== undefined || link.disarm(),
      onBroken: (why) =>
        this.#fail(
          new Fault('upstream_failed', `${why}, towards ${this.#peer}; send it whole`, {
            sent: 'unknown',
          }),
        ),
      onEnd: () => {
        this.#written = true
      },
    })
  }

  onData(bytes: Buffer): void {
    this.#notes.answerBegan = true
    this.#moved = false
    this.#reader.push(bytes)
    if (this.#answer === undefined || this.#ended || this.#failed) return
    if (this.#stream === undefined) this.#openStream()
    else if (this.#moved && !this.#isHeld()) this.#armIdle()
  }

  /** The upstream ended its side. */
  onEnd(): void {
    if (!this.#reader.end()) this.#fail(this.#hungUp())
  }

  onGone(error: Error | undefined): void {
    if (this.#ended) return
    this.#fail(error === undefined ? this.#hungUp() : toFault(error, 'unknown', this.#peer))
  }

  onInterim({ status, headers }: AnswerHead): void {
    this.#interim ??= createInterimCount()
    if (!this.#interim.take(headers)) return this.onInvalid('endless `1xx` answers')
    // 100 is about this hop, which asked for none.
    if (status === 100) return
    try {
      this.#request.onInformation?.(status, headers)
    } catch {
      // Nobody above the parser could catch it, and the answer itself is still to come.
    }
  }

  onHead(head: AnswerHead): void {
    this.#answer = head
    this.#link?.disarm()
  }

  onBody(piece: Buffer): void {
    this.#moved = true
    if (this.#stream === undefined) this.#pieces.push(piece)
    else this.#stream.give(piece)
  }

  onInvalid(got: string): void {
    const text = `${this.#peer} answered with ${got}; check what listens there`
    this.#fail(new Fault('upstream_invalid', text, { sent: 'unknown' }))
  }

  /** The answer is whole: its connection is free before anybody has read it. */
  onWhole(left: number): void {
    this.#ended = true
    this.#letGo(left === 0 && this.#written && this.#reader.keepAlive)
    if (this.#stream !== undefined) return void this.#stream.push(null)
    this.#cleanUp()
    const [first = EMPTY] = this.#pieces
    this.#resolve(this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : first)
  }

  want(): void {
    if (this.#ended) return
    this.#link?.socket.resume()
    this.#armIdle()
  }

  hold(): void {
    this.#link?.disarm()
    this.#link?.socket.pause()
  }

  /** Nobody reads the answer any more. */
  closed(): void {
    this.#cleanUp()
    if (!this.#ended) this.#letGo(false)
  }

  #openStream(): void {
    const stream = new AnswerStream(this)
    this.#stream = stream
    for (const piece of this.#pieces) stream.give(piece)
    this.#pieces = []
    if (!this.#isHeld()) this.#armIdle()
    this.#resolve(stream)
  }

  #resolve(body: Answer['body']): void {
    const { status = 0, statusText = '', headers = [] } = this.#answer ?? {}
    const reader = this.#reader
    const address = this.#address
    this.#settle.resolve({
      status,
      statusText,
      headers,
      body,
      trailers: () => reader.trailers,
      address,
    })
  }

  /** Gives the connection back, or closes it: what is still to come on it would be taken for another answer. */
  #letGo(reusable: boolean): void {
    const link = this.#link
    this.#link = undefined
    this.#stopPump?.()
    if (link === undefined) return
    if (reusable) this.#links.give(link)
    else link.destroy()
  }

  #fail(fault: Fault): void {
    if (this.#failed || this.#ended) return
    this.#failed = true
    if (this.#stream !== undefined) return void this.#stream.destroy(fault)
    this.#cleanUp()
    this.#letGo(false)
    this.#settle.reject(fault)
  }

  #cleanUp(): void {
    this.#link?.disarm()
    this.#request.signal.removeEventListener('abort', this.#onAbort)
  }

  #isHeld(): boolean {
    return this.#link?.socket.isPaused() === true
  }

  #armHead(): void {
    const { head } = this.#request.timeouts
    this.#link?.arm(head, () => {
      const text = `${this.#peer} gave no answer within \`${head}\` ms; raise the head timeout or ask for less`
      this.#fail(new Fault('upstream_timeout', text, { sent: 'unknown' }))
    })
  }

  #armIdle(): void {
    const { idle } = this.#request.timeouts
    this.#link?.arm(idle, () => {
      const text = `${this.#peer} was silent for \`${idle}\` ms within its answer; raise the idle timeout`
      this.#fail(new Fault('upstream_timeout', text, { sent: 'unknown' }))
    })
  }

  #gone(): Fault {
    const text = `the call to ${this.#peer} was given up, \`aborted\`; nothing to repair`
    return new Fault('upstream_failed', text, { sent: this.#link === undefined ? 'no' : 'unknown' })
  }

  #hungUp(): Fault {
    const where = this.#answer === undefined ? 'before its answer' : 'within its answer'
    const text = `${this.#peer} closed the connection ${where}, \`closed\`; check that it is up and reachable`
    return new Fault('upstream_failed', text, { sent: 'unknown', transient: true })
  }
}

const EMPTY = Buffer.alloc(0)
