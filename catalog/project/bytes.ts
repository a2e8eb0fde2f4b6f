/** Bytes that grow at the end and can be cut. */
export interface ByteBuffer {
  readonly length: number
  append(bytes: Uint8Array, from?: number, to?: number): void
  /** Appends one byte. */
  add(byte: number): void
  /** Cuts off what lies behind `length`. */
  truncate(length: number): void
  /** Takes the bytes from `from` to `to` out; what is behind moves up. */
  cut(from: number, to: number): void
  byteAt(index: number): number | undefined
  copy(from?: number, to?: number): Uint8Array
  /** Gives all bytes away without copying them, and is empty then. */
  take(): Uint8Array
}

const NOTHING = new Uint8Array(0)
const FIRST_SIZE = 256
/** Below this length a loop beats making a view. */
const SHORT = 64

/** Makes an empty buffer; it takes no memory before its first byte. */
export function createByteBuffer(): ByteBuffer {
  return new GrowingBytes()
}

class GrowingBytes implements ByteBuffer {
  length = 0
  #bytes: Uint8Array = NOTHING

  append(chunk: Uint8Array, from = 0, to = chunk.length): void {
    const size = to - from
    if (this.length + size > this.#bytes.length) this.#grow(this.length + size)
    const bytes = this.#bytes
    let { length } = this
    if (size < SHORT) for (let at = from; at < to; at++) bytes[length++] = chunk[at]!
    else bytes.set(chunk.subarray(from, to), length)
    this.length += size
  }

  add(byte: number): void {
    if (this.length === this.#bytes.length) this.#grow(this.length + 1)
    this.#bytes[this.length++] = byte
  }

  truncate(to: number): void {
    this.length = to
  }

  cut(from: number, to: number): void {
    this.#bytes.copyWithin(from, to, this.length)
    this.length -= to - from
  }

  byteAt(index: number): number | undefined {
    return index < this.length ? this.#bytes[index] : undefined
  }

  copy(from = 0, to = this.length): Uint8Array {
    return this.#bytes.slice(from, to)
  }

  take(): Uint8Array {
    const all = this.#bytes.subarray(0, this.length)
    this.#bytes = NOTHING
    this.length = 0
    return all
  }

  #grow(size: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, size, FIRST_SIZE))
    if (this.length > 0) larger.set(this.#bytes.subarray(0, this.length))
    this.#bytes = larger
  }
}
