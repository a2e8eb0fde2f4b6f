/** Bytes that grow at the end and can be cut. */
export interface ByteBuffer {
  readonly length: number
  append(bytes: Uint8Array, from?: number, to?: number): void
  /** Cuts off what lies behind `length`. */
  truncate(length: number): void
  /** Takes the bytes from `from` to `to` out; what is behind moves up. */
  cut(from: number, to: number): void
  byteAt(index: number): number | undefined
  copy(from?: number, to?: number): Uint8Array
}

/** Makes an empty buffer. */
export function createByteBuffer(): ByteBuffer {
  let bytes = new Uint8Array(256)
  let length = 0
  const reserve = (more: number) => {
    if (length + more <= bytes.length) return
    const larger = new Uint8Array(Math.max(bytes.length * 2, length + more))
    larger.set(bytes.subarray(0, length))
    bytes = larger
  }
  return {
    get length() {
      return length
    },
    append(chunk, from = 0, to = chunk.length) {
      reserve(to - from)
      // For the short pieces that most are, a loop beats making a view.
      if (to - from < 32) for (let at = from; at < to; at++) bytes[length++] = chunk[at]!
      else {
        bytes.set(chunk.subarray(from, to), length)
        length += to - from
      }
    },
    truncate(to) {
      length = to
    },
    cut(from, to) {
      bytes.copyWithin(from, to, length)
      length -= to - from
    },
    byteAt: (index) => (index < length ? bytes[index] : undefined),
    copy: (from = 0, to = length) => bytes.slice(from, to),
  }
}
