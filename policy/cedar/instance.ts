import { LRUCache } from 'lru-cache'
import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs'
import type { CedarContext } from './context.ts'
import { createRuling, type Ruling } from './guardrails/ruling.ts'

/** What is used of the package; a fresh instance of its WebAssembly is one of these. */
export type CedarModule = Pick<typeof Cedar, 'preparsePolicySet' | 'statefulIsAuthorized'>

/** The engine keeps every prepared policy for good, so their names are used again. */
const MAX_SLOTS = 1000
/** Length of all texts that are prepared at one time; prepared, a text takes some twenty times its length. */
const MAX_TEXTS = 4_194_304
const NOTHING = { staticPolicies: {} }

const REQUEST = {
  principal: { type: 'Holder', id: 'holder' },
  action: { type: 'Action', id: 'call' },
  resource: { type: 'Tool', id: 'tool' },
  entities: [],
}

interface Slot {
  readonly name: string
  /** Never used twice, so that an answer tells which policy gave it. */
  readonly policy: string
}

/** One instance of the engine, with the policies that are prepared in it. */
export interface CedarInstance {
  /**
   * True where the policy allows, false where it denies.
   * @throws Error for any answer that is not clearly one of the two
   */
  allows(policyText: string, context: CedarContext): boolean
  /** Whether the policy is prepared: to read one anew takes far longer than to ask it. */
  holds(policyText: string): boolean
  readonly rule: Ruling
}

export function createCedarInstance(module: CedarModule): CedarInstance {
  const free: string[] = Array.from({ length: MAX_SLOTS }, (_, index) => `slot-${index}`)
  const stale: string[] = []
  const slots = new LRUCache<string, Slot>({
    // One name stays free for the policy that is about to take another's place.
    max: MAX_SLOTS - 1,
    maxSize: MAX_TEXTS,
    // A longer text is held alone, since one that is not held at all would lose its name.
    sizeCalculation: (_slot, text) => Math.min(text.length, MAX_TEXTS),
    dispose: ({ name }) => stale.push(name),
  })
  let serial = 0

  function prepare(text: string): Slot {
    const name = free.pop()
    if (name === undefined) throw new Error('cedar: no slot is free')
    const policy = `policy-${serial++}`
    const answer = module.preparsePolicySet(name, { staticPolicies: { [policy]: text } })
    if (answer.type !== 'success') {
      free.push(name)
      throw new Error('cedar: the policy was not accepted')
    }
    const slot = { name, policy }
    slots.set(text, slot)
    emptyStale()
    return slot
  }

  /** The engine lets go of a policy only where another one takes its name. */
  function emptyStale(): void {
    for (const unused of stale.splice(0)) {
      module.preparsePolicySet(unused, NOTHING)
      free.push(unused)
    }
  }

  return {
    allows(text, context) {
      const { name, policy } = slots.get(text) ?? prepare(text)
      const answer = module.statefulIsAuthorized({
        ...REQUEST,
        context,
        preparsedPolicySetId: name,
      })
      return readAnswer(answer, policy)
    },
    holds: (text) => slots.has(text),
    rule: createRuling(module),
  }
}

/** A policy that errors is skipped by Cedar, and a stale one may answer: both must not count. */
function readAnswer(answer: Cedar.AuthorizationAnswer, policy: string): boolean {
  if (answer.type !== 'success') throw new Error('cedar: the request was not accepted')
  const { decision, diagnostics } = answer.response
  const { errors, reason } = diagnostics
  if (errors.length > 0) throw new Error('cedar: the policy met an error')
  if (decision === 'deny' && reason.length === 0) return false
  if (decision === 'allow' && reason.length === 1 && reason[0] === policy) return true
  throw new Error('cedar: the answer comes from another policy')
}
