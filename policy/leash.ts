import { bytesOf } from './bytes.ts'
import { type Caveat, parseCaveat } from './caveat.ts'
import { LINK_LENGTH } from './chain.ts'
import { type Digests, nobleDigests } from './digests.ts'
import { factsOf } from './facts.ts'
import { TokenFault } from './faults.ts'
import { keysMisplaced } from './order.ts'
import { MAX_LINES } from './spelling.ts'
import type { VerifiedToken } from './token.ts'

/** What owners put on grants after they were handed out. Implemented outside of this folder; asked at every call. */
export interface Leashes {
  /**
   * The lines on a grant, in the order in which they were appended; the same array for as long as none is added.
   * Undefined where there are none. Throws where leashes cannot be read.
   */
  leashOf(id: string): readonly string[] | undefined
}

// These say how a token is made or written down, not which calls it may make: afterwards they would narrow nothing.
const NOT_FOR_A_LEASH: Readonly<Record<string, string>> = {
  task: 'a leash cannot move the calls of a grant to another task; mint a grant with that task',
  delegate: 'a leash cannot see who narrows a token; revoke the link from which on it should end',
}

/**
 * Reads all lines of a grant's leash.
 * @throws TokenFault of the stage `caveat` where there are more than 64, or one does not parse or may not stand there
 */
export function readLeash(lines: readonly string[]): readonly Caveat[] {
  if (lines.length > MAX_LINES) throw leashFull()
  return lines.map((line) => {
    const caveat = parseCaveat(line)
    if (caveat.axis === 'keys') throw keysMisplaced(line)
    const why = NOT_FOR_A_LEASH[caveat.axis]
    if (why !== undefined) throw new TokenFault('caveat', why, { line, axis: caveat.axis })
    return { ...caveat, leash: true }
  })
}

/** What is said of lines for which a leash has no room. */
export function leashFull(): TokenFault {
  return new TokenFault('caveat', `a leash has at most ${MAX_LINES} lines; revoke the grant`)
}

/** Longest leash in bytes: it is read anew with every token of the grant, and no token is longer either. */
const MAX_LEASH_BYTES = 8192

/**
 * Reads the lines of a leash that is about to be put on a grant, those that it has among them.
 * @throws TokenFault as `readLeash` does, and where all lines together are longer than 8 KiB
 */
export function checkLeash(lines: readonly string[]): void {
  readLeash(lines)
  const bytes = lines.reduce((sum, line) => sum + bytesOf(line).length, 0)
  if (bytes > MAX_LEASH_BYTES)
    throw new TokenFault(
      'caveat',
      `the leash has ${bytes} bytes; it may have ${MAX_LEASH_BYTES}: use shorter lists, or revoke the grant`,
    )
}

/**
 * The public name of the counter of a leash's `uses` line. All tokens of the grant share it, and it begins with the
 * line: calls that were made before are not in it.
 */
export function leashLink(id: string, index: number, digests: Digests = nobleDigests): string {
  // No place of a chain has this label, so a leash never meets a token's own counter.
  const message = bytesOf(`g1 leash\n${index}\n${id}`)
  return digests.sha256Text(message).slice(0, LINK_LENGTH)
}

/** Puts leashes on tokens. */
export type Leashing = (token: VerifiedToken) => VerifiedToken

/**
 * ANDs to a token's lines those that its grant's leash has now, behind its own. What was made is kept until a line is
 * added, since both engines remember by the list of lines.
 * @throws whatever `leashOf` throws, and TokenFault where a line that was stored does not parse
 */
export function createLeashing(leashes: Leashes, digests: Digests = nobleDigests): Leashing {
  const known = new WeakMap<
    VerifiedToken,
    { readonly lines: readonly string[]; readonly leashed: VerifiedToken }
  >()
  return (token) => {
    const lines = leashes.leashOf(token.id)
    if (lines === undefined || lines.length === 0) return token
    const found = known.get(token)
    if (found?.lines === lines) return found.leashed
    const leashed = putOn(token, lines, digests)
    known.set(token, { lines, leashed })
    return leashed
  }
}

function putOn(token: VerifiedToken, lines: readonly string[], digests: Digests): VerifiedToken {
  const leash = readLeash(lines)
  const links = lines.map((_, index) => leashLink(token.id, index, digests))
  const { uses, expires } = factsOf(leash, ['', ...links])
  const ends = [token.expires, expires].filter((time) => time !== undefined)
  return {
    ...token,
    caveats: [...token.caveats, ...leash],
    uses: [...token.uses, ...uses],
    ...(ends.length === 0 ? {} : { expires: Math.min(...ends) }),
  }
}
