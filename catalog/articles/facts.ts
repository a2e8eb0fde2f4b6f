import { below, isMembers, type Check } from '../check.ts'
import { line } from './form.ts'
import type { Fact, Facts } from './types.ts'

const MOST_DEEP = 3
const MOST_NAMES = 64

/** Names are parted by dots where a fact below others is named, so that none may hold one. */
const FACT_NAME = /^[A-Za-z0-9_-]{1,64}$/

const text = line({ most: 1000 })

/** Facts, by name: texts, finite numbers, truths, nothing, or more names. */
export const facts: Check = (got, path, report) => factsAt(MOST_DEEP)(got, path, report)

function factsAt(deep: number): Check {
  return (got, path, report) => {
    if (!isMembers(got) || Object.keys(got).length > MOST_NAMES)
      return report.malformed(path, got, `write an object of at most ${MOST_NAMES} names`)
    for (const [name, fact] of Object.entries(got)) {
      const at = below(path, name)
      if (!FACT_NAME.test(name))
        report.malformed(at, name, 'name it by 1 to 64 letters, digits, _ and -')
      else if (isMembers(fact) && deep > 1) factsAt(deep - 1)(fact, at, report)
      else if (typeof fact === 'string') text(fact, at, report)
      else if (!isPlain(fact))
        report.malformed(
          at,
          fact,
          `write a text, number, boolean or null, ${MOST_DEEP} deep at most`,
        )
    }
  }
}

function isPlain(fact: unknown): boolean {
  return fact === null || typeof fact === 'boolean' || Number.isFinite(fact)
}

/** The fact of a name such as `person.city`; undefined where there is none. */
export function factAt(all: Facts, name: string): Fact | undefined {
  let found: Fact | undefined = all
  for (const step of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = found[step]
  }
  return found
}
