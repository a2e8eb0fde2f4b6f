import type { Form } from './secret-forms.ts'

/**
 * How one symbol of a form may be spelled in the bytes of an answer, read forwards (byte by byte) and backwards
 * (from its end). Percent-encoding and JSON escapes may be mixed with plain characters at will.
 */

/** Where within a spelling the reader stands: 0 is between symbols. */
type Spot = number

const BETWEEN = 0
const PERCENT = 1
/** `%h`, for each value of h. */
const PERCENT_HIGH = 2
const BACKSLASH = 18
const ESCAPE_U = 19
const ESCAPE_U0 = 20
const ESCAPE_U00 = 21
/** `\u00h`, for each value of h. */
const ESCAPE_HIGH = 22
/** How many spots there are. */
export const SPOTS = 38

const PERCENT_SIGN = 0x25
const BACKSLASH_SIGN = 0x5c
const LETTER_U = 0x75
const DIGIT_ZERO = 0x30

const SHORT_ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({
    '"': '"',
    '\\': '\\',
    '/': '/',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
  }).map(([letter, meaning]) => [letter.charCodeAt(0), meaning.charCodeAt(0)]),
)

/** Whether the form's symbol at `at` is this byte. */
function accepts(form: Form, at: number, byte: number): boolean {
  return form.first[at] === byte || form.second[at] === byte
}

/** What one more byte makes of a reader: `onSymbol` where it ends the symbol, `onSpot` where it stands inside it. */
interface Moves {
  onSymbol(): void
  onSpot(spot: Spot): void
}

/** Reads one byte of the symbol at `at` from `spot` on. Nothing is called where the byte does not fit. */
export function readSymbol(
  form: Form,
  place: { readonly at: number; readonly spot: Spot },
  byte: number,
  moves: Moves,
): void {
  const { at, spot } = place
  if (spot === BETWEEN) {
    if (accepts(form, at, byte)) moves.onSymbol()
    if (byte === PERCENT_SIGN) moves.onSpot(PERCENT)
    if (byte === BACKSLASH_SIGN) moves.onSpot(BACKSLASH)
    return
  }
  const next = within(spot, byte)
  if (next === undefined) return
  if (next.spot !== undefined) {
    if (next.high === undefined || mayStart(form, at, next.high)) moves.onSpot(next.spot)
  } else if (accepts(form, at, next.byte)) moves.onSymbol()
}

type Within =
  | { readonly spot: Spot; readonly high?: number }
  | { readonly spot?: undefined; readonly byte: number }

function within(spot: Spot, byte: number): Within | undefined {
  if (spot === BACKSLASH) return afterBackslash(byte)
  if (spot === ESCAPE_U || spot === ESCAPE_U0) {
    return byte === DIGIT_ZERO ? { spot: spot + 1 } : undefined
  }
  const digit = hexDigit(byte)
  if (digit === undefined) return undefined
  if (spot === PERCENT) return { spot: PERCENT_HIGH + digit, high: digit }
  if (spot === ESCAPE_U00) return { spot: ESCAPE_HIGH + digit, high: digit }
  const high = spot >= ESCAPE_HIGH ? spot - ESCAPE_HIGH : spot - PERCENT_HIGH
  return { byte: high * 16 + digit }
}

function afterBackslash(byte: number): Within | undefined {
  if (byte === LETTER_U) return { spot: ESCAPE_U }
  const meaning = SHORT_ESCAPES.get(byte)
  return meaning === undefined ? undefined : { byte: meaning }
}

function mayStart(form: Form, at: number, high: number): boolean {
  return (form.first[at] ?? 0) >> 4 === high || (form.second[at] ?? 0) >> 4 === high
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined
}

/** How many bytes of a spelling lie before the spot. */
function depthOf(spot: Spot): number {
  if (spot >= ESCAPE_HIGH) return 5
  if (spot >= BACKSLASH) return spot - BACKSLASH + 1
  return spot >= PERCENT_HIGH ? 2 : spot
}

/**
 * The earliest place at which the first `at` symbols of the form, and the part of the next one that `spot` stands
 * for, can begin if they end at `end`. Call it only where a reader has come there; it then always finds one.
 */
export function startOf(
  form: Form,
  place: { readonly at: number; readonly spot: Spot },
  bytes: Buffer,
  end: number,
): number {
  let ends = new Set([end - depthOf(place.spot)])
  for (let at = place.at - 1; at >= 0; at--) {
    const starts = new Set<number>()
    for (const one of ends)
      for (const start of symbolStarts(form, at, bytes, one)) starts.add(start)
    ends = starts
  }
  return Math.min(...ends)
}

function symbolStarts(form: Form, at: number, bytes: Buffer, end: number): number[] {
  const starts: number[] = []
  for (const length of [1, 2, 3, 6]) {
    const spelled = end >= length ? meaningOf(bytes, end - length, length) : undefined
    if (spelled !== undefined && accepts(form, at, spelled)) starts.push(end - length)
  }
  return starts
}

/** The byte that a whole spelling of this length means, or undefined where it is none. */
function meaningOf(bytes: Buffer, start: number, length: number): number | undefined {
  const first = bytes[start]
  if (length === 1) return first
  if (length === 3 ? first !== PERCENT_SIGN : first !== BACKSLASH_SIGN) return undefined
  if (length === 2) return SHORT_ESCAPES.get(bytes[start + 1] ?? 0)
  const unicode = length === 3 || bytes.toString('latin1', start + 1, start + 4) === 'u00'
  const high = hexDigit(bytes[start + length - 2] ?? 0)
  const low = hexDigit(bytes[start + length - 1] ?? 0)
  if (!unicode || high === undefined || low === undefined) return undefined
  return high * 16 + low
}
