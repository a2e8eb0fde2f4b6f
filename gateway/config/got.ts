const LONGEST = 80
// A run that may be a key which was pasted into the wrong place: long, of letters and digits.
const KEY_LIKE = /(?=[\w+/=-]*[0-9])(?=[\w+/=-]*[A-Za-z])[\w+/=-]{20,}/

/**
 * A value as an error text may show it. What looks like a key is not shown, wherever it stands: people
 * paste secrets into the wrong place, and the text ends up in logs.
 */
export function showGot(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return `\`${value}\``
  if (typeof value !== 'string') return hideGot(value)
  if (mayBeSecret(value.slice(0, 2 * LONGEST))) return hideGot(value)
  return quote(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value)
}

// An `@` may end the user information of an address.
function mayBeSecret(text: string): boolean {
  return text.includes('@') || KEY_LIKE.test(text)
}

/** The same for a place where a secret may stand: its kind and size alone. */
export function hideGot(value: unknown): string {
  if (typeof value === 'string') return `a text of ${value.length} characters (not shown)`
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value} (not shown)`
}

function quote(text: string): string {
  return `\`${text.replaceAll('`', "'").replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?')}\``
}
