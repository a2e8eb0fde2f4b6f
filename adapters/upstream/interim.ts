import type { RawHeaders } from './port.ts'

/** No server has more to say before its answer; a longer series would only fill memory. */
const MAX_ANSWERS = 32
const MAX_BYTES = 65_536

/** Counts the 1xx answers of one exchange, by number and by the size of their fields. */
export interface InterimCount {
  /** Counts one more; false from the first one that is too many. */
  take(headers: RawHeaders): boolean
}

export function createInterimCount(): InterimCount {
  let answers = 0
  let bytes = 0
  return {
    take(headers) {
      answers += 1
      for (const text of headers) bytes += text.length
      return answers <= MAX_ANSWERS && bytes <= MAX_BYTES
    },
  }
}
