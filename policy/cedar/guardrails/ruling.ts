import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs'

/** What is used of the package to rule; a fresh instance of its WebAssembly is one of these. */
type RulingModule = Pick<typeof Cedar, 'preparsePolicySet' | 'statefulIsAuthorized'>

/** The texts of one set of guardrails. The same object stands for the same set. */
export interface RuleSet {
  readonly policies: readonly string[]
}

/** What is asked of a set: principal, resource, their entities and the context. */
export type RuleRequest = Pick<
  Cedar.StatefulAuthorizationCall,
  'principal' | 'resource' | 'entities' | 'context'
>

/** The places in the set of the policies that forbid the call, and of those that met an error. */
export interface Ruled {
  readonly forbidding: readonly number[]
  readonly failing: readonly number[]
}

/** @throws Error for any answer that is not clearly one of this set */
export type Ruling = (set: RuleSet, request: RuleRequest) => Ruled

const SLOT = 'guardrails'
const BASE = 'permit (principal, action, resource);'

/** Rules by one set at a time; another one takes its place when it is asked for. */
export function createRuling(module: RulingModule): Ruling {
  let prepared: { readonly set: RuleSet; readonly places: ReadonlyMap<string, number> } | undefined
  let serial = 0

  function prepare(set: RuleSet): ReadonlyMap<string, number> {
    if (prepared?.set === set) return prepared.places
    prepared = undefined
    // Never used twice, so that an answer tells which set gave it.
    const prefix = `guardrail-${serial++}-`
    const texts = [BASE, ...set.policies].map((text, at) => [`${prefix}${at}`, text] as const)
    const answer = module.preparsePolicySet(SLOT, { staticPolicies: Object.fromEntries(texts) })
    if (answer.type !== 'success') throw new Error('cedar: the guardrails were not accepted')
    const places = new Map(texts.map(([id], at) => [id, at - 1]))
    prepared = { set, places }
    return places
  }

  return (set, request) => {
    const places = prepare(set)
    const answer = module.statefulIsAuthorized({
      ...request,
      action: { type: 'Action', id: 'call' },
      preparsedPolicySetId: SLOT,
    })
    return readAnswer(answer, places)
  }
}

/** A policy that errors is skipped by Cedar: it is told apart here, since an error must refuse. */
function readAnswer(answer: Cedar.AuthorizationAnswer, places: ReadonlyMap<string, number>): Ruled {
  if (answer.type !== 'success') throw new Error('cedar: the request was not accepted')
  const { decision, diagnostics } = answer.response
  const placeOf = (id: string): number => {
    const place = places.get(id)
    if (place === undefined) throw new Error('cedar: the answer comes from other guardrails')
    return place
  }
  const ruled = diagnostics.reason.map(placeOf)
  const failing = diagnostics.errors.map(({ policyId }) => placeOf(policyId))
  const byBase = ruled.length === 1 && ruled[0] === -1
  if (decision === 'allow' && byBase) return { forbidding: [], failing }
  if (decision === 'deny' && ruled.length > 0 && !ruled.includes(-1))
    return { forbidding: ruled, failing }
  throw new Error('cedar: the answer is neither the base nor a guardrail')
}
