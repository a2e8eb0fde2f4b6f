/** The forms in which an upstream may hand a key back, made independently of the redactor. */
export const ENCODINGS: Readonly<Record<string, (key: string, pick: () => number) => string>> = {
  raw: (key) => key,
  base64: (key) => Buffer.from(key).toString('base64'),
  'base64 without padding': (key) => Buffer.from(key).toString('base64').replace(/=+$/, ''),
  base64url: (key) => Buffer.from(key).toString('base64url'),
  'base64 behind one byte': (key) => Buffer.from(`:${key}`).toString('base64'),
  'base64url behind two bytes': (key) => Buffer.from(`u:${key}`).toString('base64url'),
  'Basic credentials': (key) => Buffer.from(`user:${key}`).toString('base64'),
  'base64 inside a text': (key) => Buffer.from(`{"k":"${key}"}`).toString('base64'),
  hex: (key) => Buffer.from(key).toString('hex'),
  'upper-case hex': (key) => Buffer.from(key).toString('hex').toUpperCase(),
  'mixed hex': (key, pick) =>
    Buffer.from(key)
      .toString('hex')
      .split('')
      .map((c) => (pick() % 2 === 0 ? c.toUpperCase() : c))
      .join(''),
  'percent-encoded as a URI component': (key) => encodeURIComponent(key),
  'percent-encoded in part': (key, pick) =>
    key
      .split('')
      .map((c) => (pick() % 2 === 0 ? c : percent(c, pick() % 2 === 0)))
      .join(''),
  'JSON string': (key) => JSON.stringify(key).slice(1, -1),
  'JSON string with escaped slashes': (key) =>
    JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
  'JSON escaped in part': (key, pick) =>
    JSON.stringify(key).length - 2 === key.length
      ? key
          .split('')
          .map((c) => (pick() % 2 === 0 ? c : unicode(c, pick() % 2 === 0)))
          .join('')
      : key
          .split('')
          .map((c) => unicode(c, false))
          .join(''),
  'base64 in JSON with escaped slashes': (key) =>
    Buffer.from(key).toString('base64').replaceAll('/', '\\/'),
  'base64 percent-encoded': (key) => encodeURIComponent(Buffer.from(key).toString('base64')),
}

const hexOf = (c: string, upper: boolean) => {
  const text = c.charCodeAt(0).toString(16).padStart(2, '0')
  return upper ? text.toUpperCase() : text
}
const percent = (c: string, upper: boolean) => `%${hexOf(c, upper)}`
const unicode = (c: string, upper: boolean) => `\\u00${hexOf(c, upper)}`

/** Everything that can be read out of a text by taking off escapes and codings: what an attacker would try. */
export function readings(text: string): readonly string[] {
  const unescaped = text
    .replace(/\\u00([0-9a-f]{2})/gi, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/\\(["\\/])/g, '$1')
  const plain = text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  const layers = [text, unescaped, plain]
  const runs = layers.flatMap((layer) => layer.match(/[A-Za-z0-9+/_-]{16,}/g) ?? [])
  const decoded = runs.flatMap((run) =>
    [0, 1, 2, 3].flatMap((skip) => [
      Buffer.from(run.slice(skip), 'base64').toString('latin1'),
      Buffer.from(run.slice(skip), 'hex').toString('latin1'),
    ]),
  )
  return [...layers, ...decoded]
}
