import { utf8 } from '@scure/base'
import { nextPlace } from './chain.ts'
import { type Digests, nobleDigests } from './digests.ts'
import { TokenFault } from './faults.ts'
import type { BuildKey } from './key.ts'
import { readLines } from './lines.ts'
import { checkId, checkLines, spellToken } from './spelling.ts'

/**
 * Makes a token. It has at least one line: a holder who could write the first line could write
 * `keys = somebody` there.
 * @throws TokenFault where the id or a line may not stand in a token
 */
export function mintToken(
  key: BuildKey,
  id: string,
  lines: readonly string[],
  digests: Digests = nobleDigests,
): string {
  checkId(id)
  checkLines(lines)
  if (lines.length === 0) {
    throw new TokenFault('caveat', 'a token without lines would grant everything; give it a line')
  }
  readLines(lines)
  let signature = digests.hmac(key.root, utf8.decode(id))
  for (const line of lines) signature = nextPlace(signature, line, digests)
  return spellToken({ id, lines, signature })
}
