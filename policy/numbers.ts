/** Decimal places that lines know; a finer number does not hold. */
const PLACES = 4

/** Sizes must be below this: what Cedar's decimal, 64 bits with four places, can hold. */
const LIMIT = 9e14
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
  if (Number(whole) >= LIMIT) return undefined
  const size = BigInt(whole + places)
  return { scaled: sign === '-' ? -size : size, text: `${sign}${whole}.${places}` }
}

/** An argument as an exact number: no other type, no rounding, nothing finer than four places. */
export function exactOf(value: unknown): Exact | undefined {
  if (typeof value !== 'number') return undefined
  // Most are whole, and need no reading of their spelling.
  if (Number.isSafeInteger(value) && Math.abs(value) < LIMIT)
    return { scaled: BigInt(value) * SCALE, text: `${value}.0000` }
  return parseExact(String(value))
}
