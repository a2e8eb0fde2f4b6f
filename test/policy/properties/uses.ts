import fc from 'fast-check'
import type { Test } from 'tap'
import { openEmbeddedUses } from '../../../adapters/uses/embedded.ts'
import { nodeDigests } from '../../../gateway/digests.ts'
import {
  createDecider,
  type DecisionPorts,
  mintToken,
  narrowToken,
  type VerifiedToken,
  verifyToken,
} from '../../../policy/index.ts'
import { askOf, KEY, neverRevoked } from '../support.ts'

/** A token made from an earlier one, by the place of that one; a limit where its new line counts uses. */
const child = fc.record({ parent: fc.nat(3), limit: fc.option(fc.nat(4), { nil: undefined }) })
const tree = fc.record({ limit: fc.nat(6), children: fc.array(child, { maxLength: 4 }) })
/** One call: with which token, and whether it was proven unsent, so that its uses are given back. */
const call = fc.record({ by: fc.nat(4), unsent: fc.boolean() })
const calls = fc.array(call, { minLength: 1, maxLength: 12 })

type Tree = typeof tree extends fc.Arbitrary<infer T> ? T : never
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never

const decider = createDecider()
const digests = nodeDigests
const read = (text: string): VerifiedToken => verifyToken(text, [KEY], { digests })

/** All tokens of a tree; no two of the same content, or they would be one token. */
function grow(id: string, { limit, children }: Tree): readonly VerifiedToken[] {
  const texts = [mintToken(KEY, id, [`uses <= ${limit}`], digests)]
  for (const [index, { parent, limit: own }] of children.entries()) {
    const line = own === undefined ? 'tools = *' : `uses <= ${own}`
    const from = texts[parent % texts.length] as string
    texts.push(narrowToken(from, [`tools = *,X${index}`, line], digests))
  }
  return texts.map(read)
}

/** What was let through and not given back, at each link that the token of the call goes through. */
async function play(tokens: readonly VerifiedToken[], made: readonly Call[], ports: DecisionPorts) {
  const sums = new Map<string, number>()
  const seen = { allowed: 0, spent: 0 }
  let wronglyRefused = 0
  for (const { by, unsent } of made) {
    const token = tokens[by % tokens.length] as VerifiedToken
    const decision = await decider.decide(token, askOf(), ports)
    const mayGo = token.uses.every(({ link, limit }) => (sums.get(link) ?? 0) < limit)
    if (decision.allow !== mayGo) wronglyRefused++
    seen[decision.allow ? 'allowed' : 'spent']++
    if (!decision.allow) continue
    if (unsent && decision.reservation !== undefined)
      await ports.uses.giveBack(decision.reservation)
    else for (const link of token.links) sums.set(link, (sums.get(link) ?? 0) + 1)
  }
  return { sums, seen, wronglyRefused }
}

/**
 * Through every `uses` line at most as many calls go as it says, all tokens narrowed from it together, and no
 * fewer. A case is a tree of tokens and the calls that are made with them.
 */
export async function usesSumUp(t: Test, cases: number): Promise<void> {
  const uses = openEmbeddedUses({ file: ':memory:' })
  t.teardown(() => uses.close())
  const ports = { uses, revocations: neverRevoked }
  const seen = { allowed: 0, spent: 0 }
  let serial = 0
  const property = fc.asyncProperty(tree, calls, async (shape, made) => {
    const tokens = grow(`g_${serial++}`, shape)
    const played = await play(tokens, made, ports)
    seen.allowed += played.seen.allowed
    seen.spent += played.seen.spent
    const limits = tokens.flatMap((token) => token.uses)
    const kept = limits.every(({ link, limit }) => (played.sums.get(link) ?? 0) <= limit)
    return kept && played.wronglyRefused === 0
  })
  await fc.assert(property, { numRuns: cases })
  t.ok(seen.allowed > cases && seen.spent > cases / 2, JSON.stringify({ cases, ...seen }))
}
