/** Longest text that a line looks at, in UTF-16 units; a longer one does not hold. */
export const MAX_TEXT = 1_048_576

/** Longest name of a tool, a model or a person that a line looks at. */
const MAX_NAME = 256

/** How much of a value is shown to people. */
const MAX_SHOWN = 120

// Asked first, since it is the cheaper question and nearly always settles it.
const SURROGATE = /[\ud800-\udfff]/
const LONE_SURROGATE = /\p{Surrogate}/u
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** True where every surrogate has its other half, so that the text has one UTF-8 form. */
export function isWellFormed(text: string): boolean {
  return !SURROGATE.test(text) || !LONE_SURROGATE.test(text)
}

/** True where the text has a control character (C0, DEL, C1) or a Unicode line separator. */
export function hasControl(text: string): boolean {
  return CONTROL.test(text)
}

/**
 * A text that both engines may look at. Anything else does not hold: a lone surrogate would be
 * another text to each of them, and harms the second.
 */
export function isJudgeable(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT && isWellFormed(value)
}

/** A judgeable text that is short enough to be a name; a long one would make globs costly. */
export function isName(value: unknown): value is string {
  return isJudgeable(value) && value.length <= MAX_NAME
}

/** A value of a call for people: short, on one line, and without the inside of structures. */
export function show(value: unknown): string {
  if (typeof value === 'string') return showText(value)
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return `${value}`
  return isWritten(value) ? showText(value[Symbol.toPrimitive]()) : 'an object'
}

/** A value that JSON has no type for, such as a number no double holds, says itself how it is written. */
interface Written {
  [Symbol.toPrimitive](): string
}

function isWritten(value: unknown): value is Written {
  // No member of a JSON object has this name.
  return typeof value === 'object' && value !== null && Symbol.toPrimitive in value
}

function showText(text: string): string {
  if (text === '') return 'an empty text'
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
  return isWellFormed(shown) && !hasControl(shown) ? shown : JSON.stringify(shown)
}
