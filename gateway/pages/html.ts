/** Markup that is safe to send: made by the `html` tag alone, so that no text is ever taken for it. */
class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

export type { Markup }

/** What may stand in a template; `undefined` leaves nothing there. */
export type Part = string | number | Markup | undefined | readonly Part[]

/**
 * Makes markup. Whatever stands in a place is text and is escaped, unless it was made by this tag itself. Places stand
 * between tags or inside of quoted attributes: nowhere else does escaping keep a text a text.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = strings.map((string, at) => string + written(parts[at]))
  return new Markup(text.join(''))
}

function written(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Markup) return part.toString()
  if (typeof part === 'object') return part.map(written).join('')
  return String(part).replaceAll(/[&<>"']/g, (character) => ESCAPED[character] ?? '')
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
