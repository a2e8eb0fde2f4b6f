/** A placeholder, and how it may be spelled where a client sends it. */
export interface Placeholder {
  readonly text: string
  /** In a URL or a form: each character as it is or percent-encoded. */
  readonly url: RegExp
  /** In a JSON string: each character as it is or as `\u00XX`. */
  readonly json: RegExp
}

/** The patterns are global, for `matchAll` and `replaceAll`. */
export function placeholderOf(text: string): Placeholder {
  return { text, url: spelled(text, '%'), json: spelled(text, '\\\\u00') }
}

function spelled(text: string, escape: string): RegExp {
  const symbols = text.split('').map((symbol) => {
    const digits = symbol.charCodeAt(0).toString(16).padStart(2, '0')
    const hex = digits
      .split('')
      .map((digit) => `[${digit}${digit.toUpperCase()}]`)
      .join('')
    return `(?:${symbol.replace(/\W/, '\\$&')}|${escape}${hex})`
  })
  return new RegExp(symbols.join(''), 'g')
}

/** The key as it may stand in a path segment, a query's or a form's value: nothing in it parts anything. */
export function keyInUrl(key: string): string {
  return encodeURIComponent(key).replaceAll(/%(?:3A|40|24|2C)/g, decodeURIComponent)
}

/** The key as it stands in a JSON string. */
export function keyInJson(key: string): string {
  return JSON.stringify(key).slice(1, -1)
}
