import type { TLSSocket } from 'node:tls'

// HTTP/2 by hand (RFC 9113), since every library refuses to send what is to be probed.

/** Name and value of a field, as bytes in latin1; pseudo-fields begin with a colon. */
export type Field = readonly [name: string, value: string]

export interface Frames {
  readonly headers: readonly Field[]
  /** The bodies of DATA frames, in order. */
  readonly data?: readonly string[]
  readonly trailers?: readonly Field[]
}

/** What came of one stream. */
export interface StreamEnd {
  /** 0 where no answer came. */
  readonly status: number
  readonly body: string
  /** Reset, or the whole connection given up. */
  readonly broken: boolean
}

const DATA = 0
const HEADERS = 1
const RST_STREAM = 3
const SETTINGS = 4
const GOAWAY = 7
const END_STREAM = 1
const END_HEADERS = 4
const ACK = 1
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
// SETTINGS_HEADER_TABLE_SIZE of 0, so that no answer refers to an earlier one.
const NO_TABLE = Buffer.from([0, 1, 0, 0, 0, 0])

/** Sends one request on stream 1 of a new connection, and waits for what comes of it. */
export function ask(tls: TLSSocket, frames: Frames, ms: number): Promise<StreamEnd> {
  return new Promise((resolve) => {
    let unread: Buffer = Buffer.alloc(0)
    const end = { status: 0, body: '', broken: false }
    const finish = (broken: boolean) => {
      clearTimeout(timer)
      tls.destroy()
      resolve({ ...end, broken })
    }
    const timer = setTimeout(() => finish(false), ms)
    tls.once('close', () => finish(true))
    tls.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk])
      for (let frame = readFrame(unread); frame; frame = readFrame(unread)) {
        unread = unread.subarray(9 + frame.payload.length)
        if (frame.type === SETTINGS && (frame.flags & ACK) === 0) tls.write(write(SETTINGS, ACK, 0))
        if (frame.type === GOAWAY || frame.type === RST_STREAM) return finish(end.status === 0)
        if (frame.stream !== 1) continue
        if (frame.type === HEADERS && end.status === 0) end.status = statusOf(frame.payload)
        if (frame.type === DATA) end.body += frame.payload.toString('latin1')
        if ((frame.flags & END_STREAM) !== 0 && frame.type <= HEADERS) return finish(false)
      }
    })
    tls.write(
      Buffer.concat([Buffer.from(PREFACE), write(SETTINGS, 0, 0, NO_TABLE), ...bytesOf(frames)]),
    )
  })
}

function bytesOf({ headers, data = [], trailers }: Frames): readonly Buffer[] {
  const last = (more: boolean) => (more ? 0 : END_STREAM)
  return [
    write(
      HEADERS,
      END_HEADERS | last(data.length > 0 || trailers !== undefined),
      1,
      block(headers),
    ),
    ...data.map((text, at) => {
      const more = at + 1 < data.length || trailers !== undefined
      return write(DATA, last(more), 1, Buffer.from(text, 'latin1'))
    }),
    ...(trailers === undefined
      ? []
      : [write(HEADERS, END_HEADERS | END_STREAM, 1, block(trailers))]),
  ]
}

function write(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

function readFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 9) return undefined
  const length = bytes.readUIntBE(0, 3)
  if (bytes.length < 9 + length) return undefined
  return {
    type: bytes.readUInt8(3),
    flags: bytes.readUInt8(4),
    stream: bytes.readUInt32BE(5) & 0x7fffffff,
    payload: bytes.subarray(9, 9 + length),
  }
}

/** Every field as a literal without indexing, its name written out and nothing Huffman-coded (RFC 7541, 6.2.2). */
function block(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]),
  )
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1')
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes])
  const length = [127]
  let rest = bytes.length - 127
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128)
  return Buffer.concat([Buffer.from([...length, rest]), bytes])
}

// RFC 7541, appendices A and B: the statuses that have a place in the static table, and the codes of the digits.
const STATIC = new Map(
  [8, 9, 10, 11, 12, 13, 14].map((at, n) => [at, [200, 204, 206, 304, 400, 404, 500][n]!]),
)
const DIGITS = new Map(
  [
    '00000',
    '00001',
    '00010',
    '011001',
    '011010',
    '011011',
    '011100',
    '011101',
    '011110',
    '011111',
  ].map((bits, digit) => [bits, digit]),
)

/** The status with which a block of fields begins. */
function statusOf(bytes: Buffer): number {
  let at = 0
  while ((bytes.readUInt8(at) & 0xe0) === 0x20) at += 1
  const first = bytes.readUInt8(at)
  if (first >= 0x80) return STATIC.get(first & 0x7f) ?? 0
  const length = bytes.readUInt8(at + 1)
  const value = bytes.subarray(at + 2, at + 2 + (length & 0x7f))
  return length >= 0x80 ? decodeDigits(value) : Number(value.toString('latin1'))
}

function decodeDigits(bytes: Buffer): number {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  let number = ''
  for (let at = 0; at < bits.length;) {
    const size = [5, 6].find((length) => DIGITS.has(bits.slice(at, at + length)))
    if (size === undefined) break
    number += DIGITS.get(bits.slice(at, at + size))
    at += size
  }
  return Number(number)
}
