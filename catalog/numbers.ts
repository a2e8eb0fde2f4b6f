const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/**
 * A number that no double holds as it is written: a long id, a fine fraction, a size out of range. What is sent is the
 * text, so it may not be judged rounded. It has no member and is of no type that lines know: none about it holds.
 */
export class WrittenNumber {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The number as it is written, wherever a text is made of it. */
  [Symbol.toPrimitive](): string {
    return this.#text
  }

  /** For receipts: readers round a JSON number, and a JSON string would be an argument of another type. */
  toJSON(): { readonly number: string } {
    return { number: this.#text }
  }
}

/**
 * Arguments as they were, of those that a receipt holds: what `toJSON` made of a number is that number again. An argument
 * that was such an object itself cannot be told from it.
 */
export function recordedArgs(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, recorded(value)]))
}

function recorded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(recorded)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [[name, text] = []] = entries
  const number = entries.length === 1 && name === 'number' && typeof text === 'string'
  const read = number ? readNumber(text) : undefined
  return read instanceof WrittenNumber
    ? read
    : recordedArgs(value as Readonly<Record<string, unknown>>)
}

/** Reads a number in JSON's spelling (RFC 8259, section 6); undefined for any other text. */
export function readNumber(text: string): number | WrittenNumber | undefined {
  return NUMBER.test(text) ? numberOf(text) : undefined
}

/** The same of a text that is known to be a number. */
export function numberOf(text: string): number | WrittenNumber {
  const value = Number(text)
  return isHeld(value, text) ? value : new WrittenNumber(text)
}

/** Whether the double’s own text, which is what lines go by, says the same number. */
function isHeld(value: number, text: string): boolean {
  const held = String(value)
  return held === text || exactForm(held) === exactForm(text)
}

/** One text for all spellings of a number: its digits without zeros at either end, and the power of ten behind them. */
function exactForm(text: string): string | undefined {
  const [, sign = '', whole, fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  if (whole === undefined) return undefined
  const digits = `${whole}${fraction}`
  let from = 0
  while (digits[from] === '0') from++
  let to = digits.length
  while (to > from && digits[to - 1] === '0') to--
  if (from === to) return '0'
  return `${sign}${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`
}
