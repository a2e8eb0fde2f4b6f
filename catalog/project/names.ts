import { textOf, utf8 } from '../text.ts'

/** A name as it stands in the document, quotes included. */
export interface SpelledName {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
  /** Whether it has escapes, so that its bytes are not its text. */
  readonly escaped: boolean
}

/** The member names that a projection speaks of, found without making text of every name that comes by. */
export interface Names {
  /** The text of a name; undefined where it is none of these. */
  find(name: SpelledName): string | undefined
}

interface Known {
  readonly text: string
  readonly bytes: Uint8Array
}

const BUCKETS = 256

/** Makes the table of some names. */
export function createNames(texts: Iterable<string>): Names {
  const buckets: (readonly Known[] | undefined)[] = Array.from({ length: BUCKETS })
  for (const text of new Set(texts)) {
    const bytes = utf8(text)
    const at = bucketOf(bytes, 0, bytes.length)
    buckets[at] = [...(buckets[at] ?? []), { text, bytes }]
  }
  return {
    find(name) {
      if (name.escaped) return nameText(name)
      const from = name.from + 1
      const bucket = buckets[bucketOf(name.bytes, from, name.to - 1)]
      if (bucket === undefined) return undefined
      for (const known of bucket) {
        if (known.bytes.length === name.to - 1 - from && isAt(known.bytes, name.bytes, from)) {
          return known.text
        }
      }
      return undefined
    },
  }
}

/** The text of a name. */
export function nameText({ bytes, from, to, escaped }: SpelledName): string {
  return escaped
    ? (JSON.parse(textOf(bytes.subarray(from, to))) as string)
    : textOf(bytes.subarray(from + 1, to - 1))
}

function bucketOf(bytes: Uint8Array, from: number, to: number): number {
  if (from === to) return 0
  return ((to - from) * 31 + bytes[from]! * 7 + bytes[to - 1]!) % BUCKETS
}

function isAt(wanted: Uint8Array, bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < wanted.length; at++) if (bytes[from + at] !== wanted[at]) return false
  return true
}
