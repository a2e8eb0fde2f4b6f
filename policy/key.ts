import { utf8 } from '@scure/base'
import { type Digests, nobleDigests } from './digests.ts'

/** The label of the root, where the configuration names no other. */
export const DEFAULT_LABEL = 'misc-sheets grants v1'

/** Keys that stand in documents and examples: everybody knows them, so they protect nothing. */
export const EXAMPLE_KEYS: readonly string[] = [
  'change-me-change-me-change-me-change-me',
  'example-build-key-example-build-key-example',
  'replace-this-with-the-text-of-32-random-bytes',
  '0123456789abcdef0123456789abcdef',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
]

const MIN_BYTES = 32

/** What tokens are chained from. As secret as the key's text: never log or store it. */
export interface BuildKey {
  readonly root: Uint8Array
}

/**
 * Makes the root of all chains, `HMAC(key text, label)`.
 * @throws Error where the key is shorter than 32 bytes, or one that was shipped as an example
 */
export function createBuildKey(
  text: string,
  label: string = DEFAULT_LABEL,
  digests: Digests = nobleDigests,
): BuildKey {
  const bytes = keyBytes(text)
  if (bytes.length < MIN_BYTES) {
    throw new Error(`build key: \`${bytes.length}\` bytes are too few; ${KEY_REPAIR}`)
  }
  if (EXAMPLE_KEYS.includes(text)) {
    throw new Error(`build key: it is an example from the documentation; ${KEY_REPAIR}`)
  }
  return { root: digests.hmac(bytes, utf8.decode(label)) }
}

const KEY_REPAIR = `use the base64url text of ${MIN_BYTES} random bytes`

function keyBytes(text: string): Uint8Array {
  try {
    return utf8.decode(text)
  } catch {
    throw new Error(`build key: it is not well-formed text; ${KEY_REPAIR}`)
  }
}
