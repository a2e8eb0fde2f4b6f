import type { Test } from 'tap'
import { WORD_GAP_MS, WORDS } from '../rig/upstreams/words.ts'

/** What a streaming program prints: the whole text, and when each piece of it came. */
interface Heard {
  readonly text: string
  /** Milliseconds since the call, one for each piece. */
  readonly times: readonly number[]
}

/** Half of what the upstream takes: enough to tell a stream from a heap on a busy machine. */
const SPREAD_MS = (WORD_GAP_MS * (WORDS.length - 1)) / 2

/** Asserts that the words arrived one by one, as they were sent, and not as one heap at the end. */
export function checkStream(t: Test, output: string): void {
  const heard = JSON.parse(output) as Heard
  t.equal(heard.text, WORDS.join(''), 'the answer is right')
  t.equal(heard.times.length, WORDS.length, 'each word is an event of its own')
  const spread = (heard.times.at(-1) ?? 0) - (heard.times[0] ?? 0)
  t.ok(spread > SPREAD_MS, `the events are spread over ${Math.round(spread)} ms`)
}
