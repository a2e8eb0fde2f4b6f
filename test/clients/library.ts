import { createHash } from 'node:crypto'
import type { Test } from 'tap'
import { WORD_GAP_MS, WORDS } from '../rig/upstreams/words.ts'
import { checkSpread } from './streaming.ts'

/** What a program that was written with an HTTP library prints, after it has done all that is in `programs/library.*`. */
interface Done {
  /** The upstream's key, as an upstream shows it that gives back what arrived. */
  readonly authorization: string
  /** What the upstream says of the large body. */
  readonly digest: unknown
  /** When each event came, in milliseconds. */
  readonly times: readonly number[]
}

const BYTES = 3_000_000
const UPLOADED = {
  bytes: BYTES,
  sha256: createHash('sha256').update('x'.repeat(BYTES)).digest('hex'),
}

/** What such a program is told: where to ask for an echo, an upload's hash and a stream. */
export const LIBRARY_URLS = [
  'https://api.ng.test/echo',
  'https://api.ng.test/digest',
  `https://api.ng.test/events?count=${WORDS.length}&gap=${WORD_GAP_MS}`,
] as const

/** Asserts that the echo is masked, that the upload arrived whole, and that the stream was live. */
export function checkLibrary(t: Test, output: string): void {
  const done = JSON.parse(output) as Done
  t.match(done.authorization, /^Bearer \*+$/, 'the key that the upstream gives back is masked')
  t.strictSame(done.digest, UPLOADED, 'the large body arrives whole')
  checkSpread(t, done.times)
}
