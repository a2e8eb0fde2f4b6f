/** Decimal places that lines know; a finer number does not hold. */
const PLACES = 4

/** Sizes must be below this: what Cedar's decimal, 64 bits with four places, can hold. */
const LIMIT = 9n * 10n ** 14n
const SCALE = 10n ** BigInt(PLACES)
const DECIMAL = /^(-?)(0|[1-9]\d{0,15})(?:\.(\d{1,4}))?$/

/** An exact decimal number. */
export interface Exact {
  /** The number times 10,000. */
  readonly scaled: bigint
  /** With exactly four places, as Cedar reads it. */
  readonly text: string
}

/** Reads a decimal text in JSON's spelling without exponent; undefined for anything else. */
export function parseExact(text: string): Exact | undefined {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) return undefined
  const places = fraction.padEnd(PLACES, '0')
  const size = BigInt(whole + places)
  if (size >= LIMIT * SCALE) return undefined
  return { scaled: sign === '-' ? -size : size, text: `${sign}${whole}.${places}` }
}

/** An argument as an exact number: no other type, no rounding, nothing finer than four places. */
export function exactOf(value: unknown): Exact | undefined {
  return typeof value === 'number' ? parseExact(String(value)) : undefined
}
