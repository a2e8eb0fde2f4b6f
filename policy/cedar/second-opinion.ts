import { LRUCache } from 'lru-cache'
import type { Ask } from '../ask.ts'
import type { Caveat } from '../caveat.ts'
import { type CedarPolicy, compilePolicy } from './compile.ts'
import { contextsOf, readAttributes, type Readings, sameReadings, sliceOf } from './context.ts'
import type { CedarEngine, Verdict } from './engine.ts'

/** How many verdicts are remembered, and how long the part of a call may be that is a key. */
const MAX_VERDICTS = 8192
const MAX_SLICE = 1024
const MAX_POLICIES = 1000

/** A span of the clock, its end not included. */
interface Span {
  readonly from: number
  readonly until: number
}

/** A verdict and the span for which it stands. */
interface Remembered extends Span {
  readonly verdict: Verdict
}

/** A compiled token; policies of the same text share a number. */
interface Compiled {
  readonly policy: CedarPolicy
  readonly number: number
  /** What was last said: an agent asks for much the same again and again. */
  last?: Remembered & { readonly readings: Readings }
}

/** What Cedar says of the lines and a call. */
export type SecondOpinion = (caveats: readonly Caveat[], ask: Ask) => Verdict

/**
 * Asks Cedar and remembers its verdict by the policy and the slice of the call that it reads, until
 * the clock passes the next of the policy's times.
 */
export function createSecondOpinion(engine: CedarEngine): SecondOpinion {
  const compiled = new WeakMap<readonly Caveat[], Compiled>()
  const numbers = new LRUCache<string, number>({ max: MAX_POLICIES })
  const verdicts = new LRUCache<string, Remembered>({ max: MAX_VERDICTS })
  let serial = 0

  function compiledOf(caveats: readonly Caveat[]): Compiled {
    const known = compiled.get(caveats)
    if (known !== undefined) return known
    const policy = compilePolicy(caveats)
    const number = numbers.get(policy.text) ?? serial++
    numbers.set(policy.text, number)
    const made = { policy, number }
    compiled.set(caveats, made)
    return made
  }

  return (caveats, ask) => {
    const token = compiledOf(caveats)
    const { policy, number, last } = token
    const readings = readAttributes(policy, ask)
    if (
      last !== undefined &&
      isWithin(last, ask.now) &&
      sameReadings(policy.attributes, last.readings, readings)
    )
      return last.verdict
    const key = `${number}|${sliceOf(policy.attributes, readings)}`
    const known = verdicts.get(key)
    if (known !== undefined && isWithin(known, ask.now)) {
      token.last = { ...known, readings }
      return known.verdict
    }
    const verdict = engine.judge(policy.text, contextsOf(readings))
    const span = spanAround(ask.now, policy.deadlines)
    // A fault is asked again: the engine may be sound by then. A clock that is no number lies in no
    // span, and what was said of it must not be said of others.
    if (verdict !== 'fault' && key.length <= MAX_SLICE && isWithin(span, ask.now)) {
      verdicts.set(key, { verdict, ...span })
      token.last = { verdict, ...span, readings }
    }
    return verdict
  }
}

function isWithin({ from, until }: Span, now: number): boolean {
  return from <= now && now < until
}

/** The span between two deadlines in which the clock stands. */
function spanAround(now: number, deadlines: readonly number[]): Span {
  const from = deadlines.findLast((deadline) => deadline <= now) ?? -Infinity
  const until = deadlines.find((deadline) => deadline > now) ?? Infinity
  return { from, until }
}
