/** Splits a value at its commas; a text is the reason why it is no list of names. */
export function readList(value: string): readonly string[] | string {
  const items = value.split(',')
  return items.includes('') ? 'the list has an empty item; leave out the comma' : items
}

/** Like `readList`, for names: they hold no space. */
export function readNames(value: string): readonly string[] | string {
  const items = readList(value)
  if (typeof items === 'string') return items
  const spaced = items.find((item) => item.includes(' '))
  return spaced === undefined ? items : `the name \`${spaced}\` holds a space; leave it out`
}

/** Names for people: `a`, `a or b`, `a, b or c`. */
export function orList(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`
}

/** Why the value is no person's id; undefined where it is one. */
export function readId(value: string): string | undefined {
  return /[ ,]/.test(value) ? `\`${value}\` is not one id; leave out spaces and commas` : undefined
}
