import { bytesOf } from './bytes.ts'
import type { Digests } from './digests.ts'
import type { BuildKey } from './key.ts'

const LINK_LABEL = bytesOf('g1 link')
/** Characters of a link's name: 132 bits of its digest. */
export const LINK_LENGTH = 22

/**
 * The chain of a token: `s(0) = HMAC(root, id)`, `s(k) = HMAC(s(k-1), line k)`. Each place is as
 * good as the token that ends there, so it stays in this process.
 */
export function chainOf(
  key: BuildKey,
  token: { readonly id: string; readonly lines: readonly string[] },
  digests: Digests,
): readonly Uint8Array[] {
  let place = digests.hmac(key.root, bytesOf(token.id))
  const chain = [place]
  for (const line of token.lines) {
    place = nextPlace(place, line, digests)
    chain.push(place)
  }
  return chain
}

/** Goes on by one line from a place of a chain; this is all that narrowing is. */
export function nextPlace(place: Uint8Array, line: string, digests: Digests): Uint8Array {
  return digests.hmac(place, bytesOf(line))
}

/** The public name of a place in a chain: it tells tokens apart and opens nothing. */
export function linkOf(place: Uint8Array, digests: Digests): string {
  const message = new Uint8Array(LINK_LABEL.length + place.length)
  message.set(LINK_LABEL)
  message.set(place, LINK_LABEL.length)
  return digests.sha256Text(message).slice(0, LINK_LENGTH)
}

/** Compares without telling by its time how much was right. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) {
    difference |= (a[index] ?? 0) ^ (b[index] ?? 0)
  }
  return difference === 0
}
