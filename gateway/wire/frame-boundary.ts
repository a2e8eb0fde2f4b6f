/** Bytes of the longest frame head: two, eight of length, four of mask (RFC 6455, 5.2). */
const LONGEST_HEAD = 14

/**
 * Follows the frames of a WebSocket that pass unread, whatever extension their payload was made with, to know where
 * a frame of one's own may stand.
 */
export class FrameBoundary {
  readonly #head = Buffer.alloc(LONGEST_HEAD)
  #headBytes = 0
  /** Bytes of the payload that are still to come. */
  #left = 0

  /** Whether all frames that began have ended. */
  get between(): boolean {
    return this.#headBytes === 0 && this.#left === 0
  }

  pass(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#left > 0) {
        const bytes = Math.min(this.#left, chunk.length - at)
        this.#left -= bytes
        at += bytes
      } else {
        this.#head[this.#headBytes] = chunk[at] as number
        this.#headBytes += 1
        at += 1
        this.#endHead()
      }
    }
  }

  #endHead(): void {
    const second = this.#head[1] ?? 0
    const short = second & 0x7f
    const extended = short === 126 ? 2 : short === 127 ? 8 : 0
    if (this.#headBytes < 2 + extended + (second >= 0x80 ? 4 : 0)) return
    this.#headBytes = 0
    this.#left =
      short === 126
        ? this.#head.readUInt16BE(2)
        : short === 127
          ? Number(this.#head.readBigUInt64BE(2))
          : short
  }
}
