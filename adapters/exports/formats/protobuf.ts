/** A field of a message, encoded (Protocol Buffers, wire types 0, 1 and 2). */
export type Field = Buffer

const VARINT = 0
const FIXED64 = 1
const LENGTH = 2

/** Of a whole number from 0 to 2^53 - 1. */
function varint(value: number): Buffer {
  if (value < 0x80) return Buffer.of(value)
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  bytes.push(rest)
  return Buffer.from(bytes)
}

function tag(number: number, wireType: number): Buffer {
  return varint(number * 8 + wireType)
}

/** A negative number takes ten bytes, as all 64 bits of it are written. */
export function intField(number: number, value: number): Field {
  const written = value < 0 ? negative(value) : varint(value)
  return Buffer.concat([tag(number, VARINT), written])
}

function negative(value: number): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  bytes.push(Number(rest))
  return Buffer.from(bytes)
}

export function fixed64Field(number: number, value: bigint): Field {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return Buffer.concat([tag(number, FIXED64), bytes])
}

export function stringField(number: number, text: string): Field {
  return bytesField(number, Buffer.from(text))
}

export function messageField(number: number, fields: readonly Field[]): Field {
  const length = fields.reduce((sum, field) => sum + field.length, 0)
  return Buffer.concat([tag(number, LENGTH), varint(length), ...fields])
}

function bytesField(number: number, bytes: Buffer): Field {
  return Buffer.concat([tag(number, LENGTH), varint(bytes.length), bytes])
}

/**
 * The fields of a message by their numbers, the last of each: varints as numbers, messages and texts as bytes.
 * Undefined where the bytes are no message.
 */
export function readMessage(bytes: Buffer): ReadonlyMap<number, bigint | Buffer> | undefined {
  const fields = new Map<number, bigint | Buffer>()
  const input = { bytes, at: 0 }
  while (input.at < bytes.length) {
    const key = Number(readVarint(input) ?? 0n)
    const value = readValue(input, key & 7)
    if (value === undefined || key >> 3 === 0) return undefined
    fields.set(key >> 3, value)
  }
  return fields
}

interface Input {
  readonly bytes: Buffer
  at: number
}

function readValue(input: Input, wireType: number): bigint | Buffer | undefined {
  if (wireType === VARINT) return readVarint(input)
  const length = wireType === LENGTH ? readVarint(input) : lengthOf(wireType)
  if (length === undefined || length > BigInt(input.bytes.length - input.at)) return undefined
  const start = input.at
  input.at += Number(length)
  return input.bytes.subarray(start, input.at)
}

/** Of the fixed types: 64 and 32 bits. */
function lengthOf(wireType: number): bigint | undefined {
  if (wireType === FIXED64) return 8n
  return wireType === 5 ? 4n : undefined
}

function readVarint(input: Input): bigint | undefined {
  let value = 0n
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = input.bytes[input.at]
    if (byte === undefined) return undefined
    input.at += 1
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return value
  }
  return undefined
}
