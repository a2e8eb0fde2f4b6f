import type { Grants, KnownGrant } from '../../adapters/grants/port.ts'
import { createLeashing, TokenFault, type VerifiedToken } from '../../policy/index.ts'
import { nodeDigests } from '../digests.ts'
import { wordsOf } from '../line-words.ts'
import type { OwnerPorts } from './ports.ts'

/** How many receipts of a grant are listed with it; all of them are at `/api/receipts?grant=`. */
const RECEIPTS = 20

/** A grant with its children, as the store has it. */
export type Found = NonNullable<Awaited<ReturnType<Grants['get']>>>

/** A grant in a list. */
export function grantView({ id, minted, by, task, lines, leash, revoked }: KnownGrant) {
  return { id, minted, by, task: task ?? null, lines, leash, revoked: revoked ?? null }
}

/** All that is known of a grant: its chain in plain words, what is left of it, who narrowed it, what it did. */
export async function grantDetail(grant: Found, ports: OwnerPorts) {
  const { index, uses } = ports
  const token = await ownToken(grant, ports)
  const leashed = withLeash(token, grant.leash)
  const used = await uses.read(leashed.uses.map(({ link }) => link))
  await index.sync()
  return {
    ...grantView(grant),
    chain: token.lines.map((line, at) => ({
      line,
      says: wordsOf(line),
      link: token.links[at + 1],
    })),
    leash: grant.leash.map((line) => ({ line, says: wordsOf(line) })),
    uses: leashed.uses.map(({ link, limit }) => ({
      link,
      limit,
      used: used.get(link) ?? 0,
      leash: !token.links.includes(link),
    })),
    children: grant.children.map(({ lines, links, seen }) => ({
      link: links.at(-1),
      lines: lines.slice(grant.lines.length),
      seen,
    })),
    receipts: {
      counts: await index.counts({ grant: grant.id }),
      latest: await index.list({ where: { grant: grant.id }, limit: RECEIPTS }),
    },
  }
}

/**
 * The token with the leash of the store rather than of memory, which may be a moment behind it. A leash that this
 * version cannot read is shown as it is, and ends all calls: what it counts is not known.
 */
function withLeash(token: VerifiedToken, leash: readonly string[]): VerifiedToken {
  try {
    return createLeashing({ leashOf: () => leash }, nodeDigests)(token)
  } catch (error) {
    if (error instanceof TokenFault) return token
    throw error
  }
}

/**
 * The grant's token under the build key that it was minted with: the one whose places were seen in use. Where none
 * was, the key makes no difference yet.
 */
async function ownToken(
  { id, lines, children }: Found,
  { issuer, uses }: OwnerPorts,
): Promise<VerifiedToken> {
  const tokens = issuer.tokensOf(id, lines)
  const [first, ...others] = tokens
  if (first === undefined) throw new Error('there is no build key')
  if (others.length === 0) return first
  const used = await uses.read(tokens.flatMap(({ links }) => links))
  const seen = new Set([...used.keys(), ...children.flatMap(({ links }) => links)])
  return tokens.find(({ links }) => links.some((link) => seen.has(link))) ?? first
}
