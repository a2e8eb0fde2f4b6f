import type { Secret } from '../adapters/keys/port.ts'
import {
  createBuildKey,
  createTokenVerifier,
  type BuildKey,
  type TokenVerifier,
} from '../policy/index.ts'
import { nodeDigests } from './digests.ts'

type Some<T> = readonly [T, ...T[]]

/** The build keys in force, and what was verified with them. */
export interface TokenRing extends TokenVerifier {
  /** The first one mints, all of them verify. */
  keys(): Some<BuildKey>
  /** The same, as they are held. */
  secrets(): Some<Secret>
  /** Puts other keys in force: what only a removed one verified is a stranger from now on, wherever it was remembered. */
  replace(secrets: Some<Secret>): void
}

export function createTokenRing(
  secrets: Some<Secret>,
  options: { readonly label: string; readonly maxBytes: number },
): TokenRing {
  const { label, maxBytes } = options
  const make = ([first, ...older]: Some<Secret>) => {
    const keyOf = (secret: Secret) => createBuildKey(secret.reveal(), label, nodeDigests)
    const keys: Some<BuildKey> = [keyOf(first), ...older.map(keyOf)]
    // A verifier of its own, so that none of the old one's memory is left.
    return {
      keys,
      secrets: [first, ...older] as const,
      verifier: createTokenVerifier({ keys, digests: nodeDigests, maxBytes }),
    }
  }
  let ring = make(secrets)
  return {
    keys: () => ring.keys,
    secrets: () => ring.secrets,
    verify: (text) => ring.verifier.verify(text),
    holds: (token) => ring.verifier.holds(token),
    replace(fresh) {
      ring = make(fresh)
    },
  }
}
