import { LRUCache } from 'lru-cache'
import type { Reason } from '../../reasons.ts'
import { isJudgeable, isName } from '../../text.ts'
import type { CedarEngine } from '../engine.ts'
import {
  GUARD_ATTRIBUTES,
  type GuardAttribute,
  type GuardedCall,
  type GuardValue,
} from './attributes.ts'
import type { Guardrail } from './read.ts'
import type { RuleRequest } from './ruling.ts'

/** How many verdicts are remembered, and how long the part of a call may be that is a key. */
const MAX_VERDICTS = 8192
const MAX_KEY = 1024

/** A set of guardrails that is in force. */
export interface Guard {
  /** Why the call is forbidden; none where it may pass. An error forbids. It never throws. */
  against(call: GuardedCall): readonly Reason[]
  /** What is looked at that may lie in the call's body. */
  readonly reads: { readonly paths: boolean; readonly models: boolean }
}

/** What guardrails read of one call, in the order of the attributes that they mention. */
type Readings = readonly (GuardValue | undefined | null)[]

/** Puts guardrails in force. Verdicts are remembered by what the set reads of a call. */
export function createGuard(guardrails: readonly Guardrail[], engine: CedarEngine): Guard {
  const set = { policies: guardrails.map(({ text }) => text) }
  const attributes = GUARD_ATTRIBUTES.filter(({ name }) => mentions(guardrails, name))
  const byGrant = mentions(guardrails, 'Grant')
  const verdicts = new LRUCache<string, readonly Reason[]>({ max: MAX_VERDICTS })

  function ask(call: GuardedCall, readings: Readings): readonly Reason[] | undefined {
    const ruled = engine.rule(set, requestOf(call, attributes, readings))
    if (ruled === undefined) return undefined
    const reasons = (places: readonly number[], reason: typeof forbidden) =>
      places.flatMap((at) => guardrails[at] ?? []).map((guardrail) => reason(guardrail, call))
    return [...reasons(ruled.forbidding, forbidden), ...reasons(ruled.failing, failed)]
  }

  return {
    reads: { paths: mentions(guardrails, 'paths'), models: mentions(guardrails, 'models') },
    against(call) {
      if (guardrails.length === 0) return []
      const readings = attributes.map((attribute) => attribute.read(call))
      const unfit = attributes.filter((_, at) => readings[at] === null)
      if (unfit.length > 0 || !hasNames(call)) return [unjudgeable(unfit.map(({ name }) => name))]
      const key = keyOf(call, byGrant, readings)
      const known = verdicts.get(key)
      if (known !== undefined) return known
      const reasons = ask(call, readings)
      // A fault is asked again: the engine may be sound by then.
      if (reasons === undefined) return [NO_VERDICT]
      if (key.length <= MAX_KEY) verdicts.set(key, reasons)
      return reasons
    },
  }
}

function mentions(guardrails: readonly Guardrail[], name: string): boolean {
  return guardrails.some((guardrail) => guardrail.mentions.includes(name))
}

/** Whether the names of the entities are such that the engine may look at them. */
function hasNames({ grant, ask, host }: GuardedCall): boolean {
  return isJudgeable(grant.id) && isName(ask.tool) && isName(host)
}

function keyOf({ grant, ask, host }: GuardedCall, byGrant: boolean, readings: Readings): string {
  return JSON.stringify([ask.tool, host, byGrant ? grant.id : '', ...readings])
}

/** Only what is mentioned is handed over, each value by a name of ours: nothing that a caller sent is interpreted. */
function requestOf(
  call: GuardedCall,
  attributes: readonly GuardAttribute[],
  readings: Readings,
): RuleRequest {
  const principal = { type: 'Grant', id: call.grant.id }
  const resource = { type: 'Tool', id: call.ask.tool }
  const host = { type: 'Host', id: call.host }
  const membersOf = (of: GuardAttribute['of']) =>
    Object.fromEntries(
      attributes.flatMap((attribute, at) => {
        const value = readings[at]
        return attribute.of === of && value !== undefined && value !== null
          ? [[attribute.name, encode(value)] as const]
          : []
      }),
    )
  return {
    principal,
    resource,
    context: membersOf('context'),
    entities: [
      { uid: principal, attrs: membersOf('principal'), parents: [] },
      { uid: resource, attrs: membersOf('resource'), parents: [host] },
      { uid: host, attrs: {}, parents: [] },
    ],
  }
}

type Encoded = RuleRequest['context'][string]

function encode(value: GuardValue): Encoded {
  if (typeof value !== 'object') return value
  return 'datetime' in value ? { __extn: { fn: 'datetime', arg: value.datetime } } : [...value]
}

function forbidden({ name, place, advice }: Guardrail, call: GuardedCall): Reason {
  return {
    ...OF_GUARDRAIL,
    caveat: `${name} (${place})`,
    got: `${call.ask.tool} on ${call.host}`,
    repair: advice ?? 'ask the operator: this guardrail stands over all tokens',
  }
}

function failed({ name, place }: Guardrail): Reason {
  return {
    ...OF_GUARDRAIL,
    caveat: `${name} (${place})`,
    got: 'an error while it was judged',
    repair: 'tell the operator: a guardrail that meets an error forbids the call',
  }
}

function unjudgeable(names: readonly string[]): Reason {
  return {
    ...OF_GUARDRAIL,
    caveat: '',
    got: `${names.length === 0 ? 'a name' : names.join(', ')} that cannot be judged`,
    repair: 'send well-formed texts, paths without encoded separators, and at most 64 of them',
  }
}

const OF_GUARDRAIL = { code: 'guardrail', axis: 'guardrail' } as const

const NO_VERDICT: Reason = {
  ...OF_GUARDRAIL,
  caveat: '',
  got: 'no verdict of the policy engine',
  repair: 'tell the operator: this is a defect of the gateway, and the call was not let through',
}
