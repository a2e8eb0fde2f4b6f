import { LRUCache } from 'lru-cache'
import { asciiBytes } from './bytes.ts'
import { chainOf, linkOf, sameBytes } from './chain.ts'
import { type Digests, nobleDigests } from './digests.ts'
import { TokenFault } from './faults.ts'
import type { BuildKey } from './key.ts'
import { readLines } from './lines.ts'
import { type Spelled, readSpelling } from './spelling.ts'
import { factsOf } from './facts.ts'
import type { TokenContent, VerifiedToken } from './token.ts'

/** Longest token accepted, in bytes, where the configuration says nothing. */
export const DEFAULT_MAX_BYTES = 8192

export interface VerifyOptions {
  /** Longest token accepted, in bytes; 8 KiB by default. */
  readonly maxBytes?: number
  readonly digests?: Digests
}

/**
 * Size, form, chain, signature, then line by line: the first fault counts. Nothing of the payload
 * is used before the signature matched. Keys are tried in order. The clock is not asked: expiry is
 * judged at every call.
 * @throws TokenFault
 */
export function verifyToken(
  text: string,
  keys: readonly BuildKey[],
  options: VerifyOptions = {},
): VerifiedToken {
  const { maxBytes = DEFAULT_MAX_BYTES, digests = nobleDigests } = options
  // A token is ASCII, so its length is its size; any other text is refused by the next step.
  if (text.length > maxBytes) {
    throw new TokenFault('format', `the token is longer than ${maxBytes} bytes`)
  }
  const spelled = readSpelling(text)
  const { key, chain } = provenChain(spelled, keys, digests)
  const caveats = readLines(spelled.lines)
  const links = chain.map((place) => linkOf(place, digests))
  const content: TokenContent = {
    id: spelled.id,
    lines: spelled.lines,
    caveats,
    links,
    link: links.at(-1) as string,
    ...factsOf(caveats, links),
  }
  const token = content as VerifiedToken
  madeWith.set(token, key)
  return token
}

/** With which build key each token was verified; it stands in no member, since it is a secret. */
const madeWith = new WeakMap<VerifiedToken, BuildKey>()

function provenChain(
  spelled: Spelled,
  keys: readonly BuildKey[],
  digests: Digests,
): { readonly key: BuildKey; readonly chain: readonly Uint8Array[] } {
  for (const key of keys) {
    const chain = chainOf(key, spelled, digests)
    const last = chain.at(-1)
    if (last !== undefined && sameBytes(last, spelled.signature)) return { key, chain }
  }
  throw new TokenFault('signature', 'the signature does not match: no build key here made it')
}

export interface TokenVerifier {
  /** @throws TokenFault as `verifyToken` does */
  verify(text: string): VerifiedToken
  /** Whether a token that was verified earlier, here or elsewhere, is still one of these keys'. */
  holds(token: VerifiedToken): boolean
}

export interface TokenVerifierOptions extends VerifyOptions {
  readonly keys: readonly BuildKey[]
  /** How many verified tokens are kept; 10,000 by default. */
  readonly size?: number
}

const DEFAULT_SIZE = 10_000
/** Of all remembered tokens together: what was read of a long one takes many times its length. */
const MOST_CHARACTERS = 8 * 2 ** 20

/**
 * Verifies, and remembers what was good under the SHA-256 of the whole token, so that no token
 * lies in the cache's keys. A refusal is never remembered: it could push good tokens out.
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { keys, size = DEFAULT_SIZE, ...rest } = options
  const { digests = nobleDigests, maxBytes = DEFAULT_MAX_BYTES } = options
  const known = new LRUCache<string, VerifiedToken>({ max: size, maxSize: MOST_CHARACTERS })
  return {
    verify(text) {
      const name = text.length > maxBytes ? undefined : nameOf(text, digests)
      const found = name === undefined ? undefined : known.get(name)
      if (found !== undefined) return found
      const token = verifyToken(text, keys, rest)
      if (name !== undefined) known.set(name, token, { size: text.length })
      return token
    },
    holds(token) {
      const made = madeWith.get(token)
      return made !== undefined && keys.some(({ root }) => sameBytes(root, made.root))
    },
  }
}

/** Undefined where the text is not ASCII, which every token is. */
function nameOf(text: string, digests: Digests): string | undefined {
  const bytes = asciiBytes(text)
  return bytes && digests.sha256Text(bytes)
}
