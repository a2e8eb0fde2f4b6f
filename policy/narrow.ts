import { nextPlace } from './chain.ts'
import { type Digests, nobleDigests } from './digests.ts'
import { keysMisplaced, readInOrder } from './order.ts'
import { readCaveat } from './read-caveat.ts'
import { checkLines, readSpelling, spellToken } from './spelling.ts'

/**
 * Appends lines to a token, which takes no key and no server: the signature is the next line's
 * HMAC key. The token's own signature is not checked here, nor can it be.
 * @throws TokenFault where the token is malformed or may not be narrowed, or a line may not follow
 */
export function narrowToken(
  token: string,
  lines: readonly string[],
  digests: Digests = nobleDigests,
): string {
  const spelled = readSpelling(token)
  const all = [...spelled.lines, ...lines]
  checkLines(all)
  readInOrder(all, readCaveat)
  // In a token without lines, a `keys` line would come first and read as if it were minted.
  const keys = lines.find((line) => readCaveat(line).axis === 'keys')
  if (keys !== undefined) throw keysMisplaced(keys)
  let signature = spelled.signature
  for (const line of lines) signature = nextPlace(signature, line, digests)
  return spellToken({ id: spelled.id, lines: all, signature })
}
