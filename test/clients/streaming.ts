import type { Test } from 'tap'
import { WORD_GAP_MS, WORDS } from '../rig/upstreams/words.ts'

/** What a streaming program prints: the whole text, and when each piece of it came. */
interface Heard {
  readonly text: string
  /** Milliseconds since whenever, one for each piece. */
  readonly times: readonly number[]
}

/** Half of what the upstream takes: enough to tell a stream from a heap on a busy machine. */
const SPREAD_MS = (WORD_GAP_MS * (WORDS.length - 1)) / 2

/** Asserts that the words arrived one by one, as they were sent, and not as one heap at the end. */
export function checkStream(t: Test, output: string): void {
  const heard = JSON.parse(output) as Heard
  t.equal(heard.text, WORDS.join(''), 'the answer is right')
  checkSpread(t, heard.times)
}

/** Asserts of the times at which as many pieces as there are words came that they were apart. */
export function checkSpread(t: Test, times: readonly number[]): void {
  t.equal(times.length, WORDS.length, 'each piece is an event of its own')
  const spread = (times.at(-1) ?? 0) - (times[0] ?? 0)
  t.ok(spread > SPREAD_MS, `the events are spread over ${Math.round(spread)} ms`)
}
