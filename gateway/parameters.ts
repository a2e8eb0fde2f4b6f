import { Refusal, type RefusalReason } from './refusal.ts'

const LONGEST_SHOWN = 80

/** Gives the repair where a parameter's value does not fit. */
export type Check = (text: string) => string | undefined

/**
 * Reads the query string of a request by a table with a row for each parameter. Unknown and repeated parameters, and
 * values that do not fit, are refused, all at once.
 * @throws Refusal
 */
export function readParameters<N extends string>(
  query: unknown,
  checks: Readonly<Record<N, Check>>,
): Readonly<Partial<Record<N, string>>> {
  const given = Object.entries(query as Record<string, unknown>)
  const unknown = given.filter(([name]) => !Object.hasOwn(checks, name))
  if (unknown.length > 0) {
    const repair = `use: ${Object.keys(checks).join(', ')}`
    throw new Refusal(
      'unknown_field',
      unknown.map(([name]) => {
        return { axis: name.slice(0, LONGEST_SHOWN), got: 'an unknown parameter', repair }
      }),
    )
  }
  const wrong = given.flatMap(([name, value]) => judge(name, value, checks[name as N]))
  if (wrong.length > 0) throw new Refusal('malformed_request', wrong)
  return Object.fromEntries(given) as Readonly<Partial<Record<N, string>>>
}

function judge(name: string, value: unknown, check: Check): readonly RefusalReason[] {
  if (typeof value !== 'string')
    return [{ axis: name, got: 'several values', repair: 'give it once' }]
  const repair = check(value)
  const got = `\`${value.slice(0, LONGEST_SHOWN)}\``
  return repair === undefined ? [] : [{ axis: name, got, repair }]
}

/** A whole number in these bounds. */
export function wholeNumber(least: number, most: number): Check {
  return (text) => {
    const fits = /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most
    return fits ? undefined : `write a whole number from ${least} to ${most}`
  }
}

/** One of these words. */
export function oneOf(...words: readonly string[]): Check {
  const repair = `write \`${words.join('` or `')}\``
  return (text) => (words.includes(text) ? undefined : repair)
}
