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
/** Length of all Cedar texts that are remembered for tokens, and for their numbers. */
const MAX_COMPILED = 16_777_216
const MAX_NUMBERED = 4_194_304

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

/**
 * Asked before lines are read that Cedar does not hold, with their length in UTF-16 units: that is where a holder who
 * narrows anew for every call makes the gateway work. What it throws ends the decision.
 */
export type Reading = (length: number) => void

/** What Cedar says of the lines and a call. */
export type SecondOpinion = (caveats: readonly Caveat[], ask: Ask, reading?: Reading) => Verdict

/**
 * Asks Cedar and remembers its verdict by the policy and the slice of the call that it reads, until
 * the clock passes the next of the policy's times.
 */
export function createSecondOpinion(engine: CedarEngine): SecondOpinion {
  const compiled = new LRUCache<readonly Caveat[], Compiled>({
    maxSize: MAX_COMPILED,
    sizeCalculation: ({ policy }) => Math.min(policy.text.length, MAX_COMPILED),
  })
  const numbers = new LRUCache<string, number>({
    max: MAX_POLICIES,
    maxSize: MAX_NUMBERED,
    sizeCalculation: (_number, text) => Math.min(text.length, MAX_NUMBERED),
  })
  const verdicts = new LRUCache<string, Remembered>({ max: MAX_VERDICTS })
  let serial = 0

  function compile(caveats: readonly Caveat[]): Compiled {
    const policy = compilePolicy(caveats)
    const number = numbers.get(policy.text) ?? serial++
    numbers.set(policy.text, number)
    const made = { policy, number }
    compiled.set(caveats, made)
    return made
  }

  return (caveats, ask, reading) => {
    const known = compiled.get(caveats)
    if (known === undefined) reading?.(lengthOf(caveats))
    const token = known ?? compile(caveats)
    const { policy, number, last } = token
    const readings = readAttributes(policy, ask)
    if (
      last !== undefined &&
      isWithin(last, ask.now) &&
      sameReadings(policy.attributes, last.readings, readings)
    )
      return last.verdict
    const key = `${number}|${sliceOf(policy.attributes, readings)}`
    const remembered = verdicts.get(key)
    if (remembered !== undefined && isWithin(remembered, ask.now)) {
      token.last = { ...remembered, readings }
      return remembered.verdict
    }
    if (known !== undefined && !engine.holds(policy.text)) reading?.(lengthOf(caveats))
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

function lengthOf(caveats: readonly Caveat[]): number {
  return caveats.reduce((length, { line }) => length + line.length, 0)
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
