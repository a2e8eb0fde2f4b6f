import { randomBytes } from 'node:crypto'

/** Opcodes of RFC 6455, 5.2. */
export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

export interface FrameHead {
  readonly fin: boolean
  readonly opcode: number
}

/** What a reader tells of the frames that pass; payloads come unmasked, in the pieces in which they came. */
export interface FrameSink {
  head(head: FrameHead): void
  payload(bytes: Buffer): void
  end(): void
}

/** Bytes that are no WebSocket frames, or frames that nobody agreed on: they cannot be looked into. */
export class FrameFault extends Error {
  constructor(got: string) {
    super(`a WebSocket frame with ${got}`)
    this.name = 'FrameFault'
  }
}

const EMPTY = Buffer.alloc(0)
const MOST_CONTROL_BYTES = 125
const KNOWN: ReadonlySet<number> = new Set(Object.values(OPCODES))

/** Reads frames as their bytes come, in constant memory. Throws a FrameFault; after that it is of no use. */
export class FrameReader {
  readonly #sink: FrameSink
  readonly #masked: boolean
  /** Bytes of a head that is not whole yet. */
  #head: Buffer = EMPTY
  /** Bytes of the payload that are still to come; undefined between frames. */
  #left: number | undefined
  #mask: Buffer | undefined
  #at = 0

  /** `masked` says that the frames come from a client. */
  constructor(sink: FrameSink, masked: boolean) {
    this.#sink = sink
    this.#masked = masked
  }

  push(chunk: Buffer): void {
    let rest = chunk
    while (rest.length > 0)
      rest = this.#left === undefined ? this.#readHead(rest) : this.#read(rest)
  }

  #readHead(chunk: Buffer): Buffer {
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
    const size = headSize(bytes)
    if (size === undefined || bytes.length < size) {
      this.#head = Buffer.from(bytes)
      return EMPTY
    }
    this.#head = EMPTY
    this.#begin(bytes.subarray(0, size))
    return bytes.subarray(size)
  }

  #begin(head: Buffer): void {
    const [first = 0, second = 0] = head
    const opcode = first & 0x0f
    const fin = first >= 0x80
    const length = payloadLength(head)
    const isMasked = second >= 0x80
    if ((first & 0x70) !== 0) throw new FrameFault('a reserved bit')
    if (!KNOWN.has(opcode)) throw new FrameFault(`opcode ${opcode}`)
    if (isMasked !== this.#masked) throw new FrameFault(isMasked ? 'a mask' : 'no mask')
    if (isControl(opcode) && (!fin || length > MOST_CONTROL_BYTES))
      throw new FrameFault('control bytes that are too many or in parts')
    if (!Number.isSafeInteger(length)) throw new FrameFault('an endless payload')
    this.#mask = isMasked ? Buffer.from(head.subarray(-4)) : undefined
    this.#at = 0
    this.#left = length
    this.#sink.head({ fin, opcode })
    if (length === 0) this.#end()
  }

  #read(chunk: Buffer): Buffer {
    const left = this.#left ?? 0
    const bytes = chunk.subarray(0, left)
    this.#left = left - bytes.length
    this.#sink.payload(this.#mask === undefined ? bytes : masked(bytes, this.#mask, this.#at))
    this.#at += bytes.length
    if (this.#left === 0) this.#end()
    return chunk.subarray(bytes.length)
  }

  #end(): void {
    this.#left = undefined
    this.#sink.end()
  }
}

/** A whole frame as it is written; a client's gets a mask of its own. */
export function frameOf({ fin, opcode }: FrameHead, payload: Buffer, isClients: boolean): Buffer {
  const first = (fin ? 0x80 : 0) | opcode
  const length = lengthBytes(payload.length)
  if (!isClients) return Buffer.concat([Buffer.of(first), length, payload])
  length[0] = (length[0] ?? 0) | 0x80
  const mask = randomBytes(4)
  return Buffer.concat([Buffer.of(first), length, mask, masked(payload, mask, 0)])
}

/** A close frame with its reason (RFC 6455, 5.5.1). */
export function closeFrame(status: number, reason: string, isClients: boolean): Buffer {
  const payload = Buffer.concat([Buffer.of(status >> 8, status & 0xff), Buffer.from(reason)])
  return frameOf({ fin: true, opcode: OPCODES.close }, payload, isClients)
}

export function isControl(opcode: number): boolean {
  return opcode >= OPCODES.close
}

/** Bytes of the whole head; undefined where too few are there to tell. */
function headSize(bytes: Buffer): number | undefined {
  const second = bytes[1]
  if (second === undefined) return undefined
  const short = second & 0x7f
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0
  return 2 + extended + (second >= 0x80 ? 4 : 0)
}

function payloadLength(head: Buffer): number {
  const short = (head[1] ?? 0) & 0x7f
  if (short === 126) return head.readUInt16BE(2)
  return short === 127 ? Number(head.readBigUInt64BE(2)) : short
}

function lengthBytes(length: number): Buffer {
  if (length < 126) return Buffer.of(length)
  const bytes = Buffer.alloc(length < 0x1_00_00 ? 3 : 9)
  bytes[0] = bytes.length === 3 ? 126 : 127
  if (bytes.length === 3) bytes.writeUInt16BE(length, 1)
  else bytes.writeBigUInt64BE(BigInt(length), 1)
  return bytes
}

/** A copy with the mask put on or taken off, which is the same (RFC 6455, 5.3); `at` bytes have gone before. */
function masked(bytes: Buffer, mask: Buffer, at: number): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  for (let i = 0; i < bytes.length; i += 1)
    out[i] = (bytes[i] as number) ^ (mask[(at + i) & 3] as number)
  return out
}
