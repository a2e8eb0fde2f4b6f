/** A field of a message, encoded (Protocol Buffers, wire types 0, 1 and 2). */
export type Field = Buffer

const VARINT = 0
const FIXED64 = 1
const LENGTH = 2

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  bytes.push(Number(rest))
  return Buffer.from(bytes)
}

function tag(number: number, wireType: number): Buffer {
  return varint(BigInt(number * 8 + wireType))
}

export function intField(number: number, value: number): Field {
  return Buffer.concat([tag(number, VARINT), varint(BigInt(value))])
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
  return bytesField(number, Buffer.concat(fields))
}

function bytesField(number: number, bytes: Buffer): Field {
  return Buffer.concat([tag(number, LENGTH), varint(BigInt(bytes.length)), bytes])
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
