/** Query parameters: a name that occurs once has a string, one that repeats has its values in order. */
export type QueryArgs = Readonly<Record<string, string | readonly string[]>>

/**
 * Reads a raw query (the part behind `?`) as forms write it: `+` is a space, `;` separates nothing.
 * A percent escape that is broken or no UTF-8 stays as it was written, and so does its value.
 */
export function parseQuery(raw: string): QueryArgs {
  const values = new Map<string, string[]>()
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const mark = pair.indexOf('=')
    const name = formDecoded(mark < 0 ? pair : pair.slice(0, mark))
    const value = mark < 0 ? '' : formDecoded(pair.slice(mark + 1))
    const held = values.get(name)
    if (held === undefined) values.set(name, [value])
    else held.push(value)
  }
  // `fromEntries` defines own members, so that a parameter named __proto__ is one like any other.
  return Object.fromEntries(
    [...values].map(([name, held]) => [name, held.length > 1 ? held : held[0]!]),
  )
}

function formDecoded(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
