import {
  mintToken,
  verifyToken,
  type BuildKey,
  type Digests,
  type VerifiedToken,
} from '../policy/index.ts'

/** Makes and reads tokens under the build keys in force. */
export interface Issuer {
  /** @throws TokenFault where the id or a line may not stand in a token */
  mint(id: string, lines: readonly string[]): string
  /** @throws TokenFault as `verifyToken` does */
  verify(text: string): VerifiedToken
  /** What the grant's own token would be under each of the keys; the one that mints comes first. */
  tokensOf(id: string, lines: readonly string[]): readonly VerifiedToken[]
}

export interface IssuerOptions {
  /** The first one mints, all of them verify. */
  readonly keys: () => readonly [BuildKey, ...BuildKey[]]
  readonly digests: Digests
  /** Longest token that is read, in bytes. */
  readonly maxBytes: number
}

export function createIssuer({ keys, digests, maxBytes }: IssuerOptions): Issuer {
  // A grant that is on record is shown, whatever the limit was when it was minted, and where.
  const ofRecord = { digests, maxBytes: Number.POSITIVE_INFINITY }
  return {
    mint: (id, lines) => mintToken(keys()[0], id, lines, digests),
    verify: (text) => verifyToken(text, keys(), { digests, maxBytes }),
    tokensOf: (id, lines) =>
      keys().map((key) => verifyToken(mintToken(key, id, lines, digests), [key], ofRecord)),
  }
}
