import { PREFIX_BYTES, sealLine } from './chain.ts'
import { writeJson, type Entry } from './entry.ts'

const INITIAL_BYTES = 256 * 1024
/** Room for `{"kind":"…","n":…,"intent":…`, the hash and the line feed. */
const FRAME_BYTES = 256

/** The end of a chain: where the next record is put. */
export interface ChainEnd {
  readonly n: number
  readonly hash: string
}

/** Writes batches of records as chained lines into one buffer that is used again and again. */
export interface BatchEncoder {
  /** Gives each entry its number. The bytes are good until the next call. */
  encode(
    entries: readonly Entry[],
    from: ChainEnd,
  ): { readonly bytes: Buffer; readonly end: ChainEnd }
}

export function createBatchEncoder(): BatchEncoder {
  let buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES)
  return {
    encode(entries, from) {
      const room = entries.reduce((sum, entry) => sum + entry.body.length * 3 + FRAME_BYTES, 0)
      if (room > buffer.length) buffer = Buffer.allocUnsafeSlow(room)
      let { n, hash } = from
      let at = 0
      for (const entry of entries) {
        n += 1
        entry.place.n = n
        const end = writeJson(buffer, at + PREFIX_BYTES, { entry, n })
        hash = sealLine(buffer, at, { previous: hash, end })
        at = end + 1
      }
      return { bytes: buffer.subarray(0, at), end: { n, hash } }
    },
  }
}
