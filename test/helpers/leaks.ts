/** A secret in one of the forms in which an answer could give it back. */
interface Form {
  readonly name: string
  readonly text: string
}

const hexOf = (text: string) => Buffer.from(text).toString('hex')
const base64Of = (text: string) => Buffer.from(text).toString('base64')
const percent = (text: string) => hexOf(text).replaceAll(/../g, (pair) => `%${pair}`)

/** The forms of a secret, made with nothing of the product. */
export function formsOf(secret: string): readonly Form[] {
  const forms: Form[] = [
    { name: 'raw', text: secret },
    { name: 'basic', text: base64Of(`agent:${secret}`) },
    { name: 'hex', text: hexOf(secret) },
    { name: 'hex, upper case', text: hexOf(secret).toUpperCase() },
    { name: 'percent', text: encodeURIComponent(secret) },
    { name: 'percent, every byte', text: percent(secret) },
    { name: 'percent, every byte, upper case', text: percent(secret).toUpperCase() },
    { name: 'percent of base64', text: encodeURIComponent(base64Of(secret)) },
    { name: 'json', text: JSON.stringify(secret).replaceAll('/', '\\/') },
  ]
  for (const before of ['', 'x', 'xy']) {
    const text = `${before}${secret}tail`
    forms.push({ name: `base64, ${before.length} before`, text: base64Of(text) })
    const url = Buffer.from(text).toString('base64url')
    forms.push({ name: `base64url, ${before.length} before`, text: url })
  }
  return forms
}

const WINDOW = 12

/** Looks for many secrets at once, in one pass over what was seen; each is named by its first member. */
export function leakFinder(
  secrets: readonly (readonly [what: string, secret: string])[],
): (seen: string) => readonly string[] {
  const pieces = new Map<string, string>()
  for (const [what, secret] of secrets)
    for (const { name, text } of formsOf(secret))
      for (let at = 0; at + WINDOW <= text.length; at++)
        pieces.set(text.slice(at, at + WINDOW), `${what}, ${name}`)
  return (seen) => {
    const found = new Set<string>()
    for (let at = 0; at + WINDOW <= seen.length; at++) {
      const leak = pieces.get(seen.slice(at, at + WINDOW))
      if (leak !== undefined) found.add(leak)
    }
    return [...found]
  }
}

/**
 * The forms of which a piece of twelve characters occurs in what was seen; what stands around the secret in a form
 * is shorter than that.
 */
export function leaksIn(seen: string, secret: string): readonly string[] {
  return formsOf(secret)
    .filter(({ text }) => {
      for (let at = 0; at + WINDOW <= text.length; at++)
        if (seen.includes(text.slice(at, at + WINDOW))) return true
      return false
    })
    .map(({ name }) => name)
}
