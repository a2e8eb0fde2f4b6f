import { argsOfTexts } from '../text-args.ts'
import { WrittenNumber } from '../numbers.ts'
import type { Unavailable, WayCall } from './types.ts'
import { writtenJson } from '../written-json.ts'

/** The arguments of a call as texts, by their names. */
export type Texts = readonly (readonly [name: string, text: string])[]

const LONE_SURROGATE = /\p{Surrogate}/u

/** The arguments as texts that the row reads back as the same values; or why there are none. */
export function textsOf({ tool, args }: Pick<WayCall, 'tool' | 'args'>): Texts | Unavailable {
  const texts = Object.entries(args).map(([name, value]) => [name, textOf(value)] as const)
  const lost = texts.filter(([name, text]) => {
    if (LONE_SURROGATE.test(name) || LONE_SURROGATE.test(text)) return true
    const read = argsOfTexts(tool, Object.fromEntries([[name, text]]))
    return !read.ok || writtenJson(read.args[name]) !== writtenJson(args[name])
  })
  if (lost.length === 0) return texts
  return {
    unavailable: `as text the row would read another value of ${namesOf(lost)}`,
    set: 'give the row the type of the argument, or write the call as JSON',
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof WrittenNumber ? value[Symbol.toPrimitive]() : writtenJson(value)
}

/** Whether every name and text is one that the way can write. */
export function onlyThose(
  texts: Texts | Unavailable,
  fits: (name: string, text: string) => boolean,
  because: string,
): Texts | Unavailable {
  if ('unavailable' in texts) return texts
  const misfits = texts.filter(([name, text]) => !fits(name, text))
  if (misfits.length === 0) return texts
  return {
    unavailable: `${because}: ${namesOf(misfits)}`,
    set: 'write the call as JSON',
  }
}

function namesOf(texts: Texts): string {
  return texts.map(([name]) => `\`${name}\``).join(', ')
}
