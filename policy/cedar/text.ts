/**
 * Cedar's source text, written by hand: neither JSON's quoting nor anybody's else is Cedar's. All
 * but plain letters, digits and a few marks go out as `\u{…}`.
 */
const SPECIAL = /[^A-Za-z0-9_ .,:/@=+-]/gu

/** A string literal. */
export function quote(text: string): string {
  return `"${escape(text)}"`
}

/** A pattern for `like` that matches the pieces with anything between them. */
export function pattern(pieces: readonly string[]): string {
  return `"${pieces.map(escapeForLike).join('*')}"`
}

/** A decimal literal; the text must come from an `Exact`. */
export function decimal(text: string): string {
  return `decimal("${text}")`
}

/** A set of string literals. */
export function quoteSet(items: readonly string[]): string {
  return `[${items.map(quote).join(', ')}]`
}

/** All conditions, in balanced parentheses: a long chain of `&&` would overflow the engine. */
export function all(conditions: readonly string[]): string {
  return join(conditions, '&&')
}

/** Any of the conditions, balanced as in `all`. */
export function any(conditions: readonly string[]): string {
  return join(conditions, '||')
}

function join(conditions: readonly string[], operator: '&&' | '||'): string {
  const [first] = conditions
  if (first === undefined) return operator === '&&' ? 'true' : 'false'
  if (conditions.length === 1) return `(${first})`
  const half = conditions.length >> 1
  const left = join(conditions.slice(0, half), operator)
  const right = join(conditions.slice(half), operator)
  return `(${left} ${operator} ${right})`
}

function escape(text: string): string {
  return text.replace(SPECIAL, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

// Only `\*` is a literal star here: `\u{2a}` would be a wildcard.
function escapeForLike(text: string): string {
  return text.split('*').map(escape).join('\\*')
}
