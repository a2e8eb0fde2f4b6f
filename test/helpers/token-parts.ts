import { forge } from './forge.ts'
import { basic } from './shapes.ts'

/** What identifies a token: its parts, its signature's bytes, and the credentials made of it. */
export function partsOf(token: string): Readonly<Record<string, string>> {
  const [, payload = '', signature = ''] = token.split('.')
  const raw = Buffer.from(signature, 'base64url')
  return {
    payload,
    signature,
    'raw signature': raw.toString('latin1'),
    'signature in hex': raw.toString('hex'),
    basic: basic(`agent:${token}`).slice(6),
    'basic, the other half': basic(`${token}:`).slice(6),
  }
}

export function contentOf(token: string): [id: string, lines: readonly string[]] {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  const { i, c } = JSON.parse(payload) as { i: string; c: readonly string[] }
  return [i, c]
}

/** The tokens from which this one was narrowed, whose signatures are the places of its chain. */
export function placesOf(token: string, buildKey: string): readonly string[] {
  const [id, lines] = contentOf(token)
  return lines.map((_line, place) => forge(buildKey, id, lines.slice(0, place)))
}
