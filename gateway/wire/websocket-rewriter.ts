import {
  FrameFault,
  FrameReader,
  frameOf,
  isControl,
  OPCODES,
  type FrameHead,
} from './websocket-frames.ts'

/** Changes one message as it passes; it may hold a tail back until more has come. */
export interface MessageStep {
  push(chunk: Buffer): Buffer
  flush(): Buffer
}

export interface RewriterOptions {
  /** Whether the frames come from a client: these are masked. */
  readonly fromClient: boolean
  /** The step for a message of this kind; undefined lets it pass as it is. */
  readonly message: (kind: 'text' | 'binary') => MessageStep | undefined
  /** Changes the payload of a control frame, and not its length. */
  readonly control: (payload: Buffer) => Buffer
}

interface Message {
  readonly opcode: number
  readonly step: MessageStep | undefined
  begun: boolean
}

const EMPTY = Buffer.alloc(0)

/**
 * Rewrites the messages of one direction of a WebSocket, whatever fragments they come in (RFC 6455, 5.4: who
 * negotiated no extension may change the fragmentation). Only what the message's step holds back waits; a payload
 * of any size passes in the pieces in which it comes.
 */
export class WebSocketRewriter {
  readonly #options: RewriterOptions
  readonly #reader: FrameReader
  #out: Buffer[] = []
  #head: FrameHead = { fin: true, opcode: OPCODES.continuation }
  #message: Message | undefined
  /** Of the frame that is being read: what can go out, and the payload of a control frame. */
  #ready: Buffer = EMPTY

  constructor(options: RewriterOptions) {
    this.#options = options
    const sink = {
      head: (head: FrameHead) => this.#begin(head),
      payload: (bytes: Buffer) => this.#take(bytes),
      end: () => this.#end(),
    }
    this.#reader = new FrameReader(sink, options.fromClient)
  }

  /** Gives whole frames. Throws a FrameFault, and whatever the steps throw. */
  push(chunk: Buffer): Buffer {
    this.#out = []
    this.#reader.push(chunk)
    if (!isControl(this.#head.opcode)) this.#send(false)
    return this.#out.length === 1 ? (this.#out[0] as Buffer) : Buffer.concat(this.#out)
  }

  #begin(head: FrameHead): void {
    this.#head = head
    this.#ready = EMPTY
    if (isControl(head.opcode)) return
    if ((head.opcode === OPCODES.continuation) === (this.#message === undefined))
      throw new FrameFault('a fragment that belongs to no message, or to two')
    const kind = head.opcode === OPCODES.text ? 'text' : 'binary'
    this.#message ??= { opcode: head.opcode, step: this.#options.message(kind), begun: false }
  }

  #take(bytes: Buffer): void {
    const step = isControl(this.#head.opcode) ? undefined : this.#message?.step
    const piece = step === undefined ? bytes : step.push(bytes)
    this.#ready = this.#ready.length === 0 ? piece : Buffer.concat([this.#ready, piece])
  }

  #end(): void {
    const { fin, opcode } = this.#head
    if (isControl(opcode)) {
      this.#out.push(
        frameOf(this.#head, this.#options.control(this.#ready), this.#options.fromClient),
      )
      this.#ready = EMPTY
      return
    }
    const step = this.#message?.step
    if (fin && step !== undefined) this.#ready = Buffer.concat([this.#ready, step.flush()])
    this.#send(fin)
    if (fin) this.#message = undefined
  }

  /** What is ready goes out as a frame; only the last one of a message may be empty. */
  #send(fin: boolean): void {
    const message = this.#message
    if (message === undefined || (!fin && this.#ready.length === 0)) return
    const opcode = message.begun ? OPCODES.continuation : message.opcode
    this.#out.push(frameOf({ fin, opcode }, this.#ready, this.#options.fromClient))
    message.begun = true
    this.#ready = EMPTY
  }
}
