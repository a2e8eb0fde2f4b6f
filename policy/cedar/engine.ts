import * as cedarWasm from '@cedar-policy/cedar-wasm/nodejs'
import type { CedarContext } from './context.ts'
import type { Ruled, RuleRequest, RuleSet } from './guardrails/ruling.ts'
import { type CedarInstance, type CedarModule, createCedarInstance } from './instance.ts'
import { testInstance } from './self-test.ts'

/** `fault` where the engine gave no clear answer: it counts as no. */
export type Verdict = 'allow' | 'deny' | 'fault'

/** The second engine, behind guards: it never throws into a decision. */
export interface CedarEngine {
  /** `allow` only where the policy allows every one of the contexts. */
  judge(policyText: string, contexts: readonly CedarContext[]): Verdict
  /** Whether it has read the policy and kept it: a first reading may take many milliseconds. */
  holds(policyText: string): boolean
  /** Which policies of a set forbid or fail; undefined where the engine gave no clear answer. */
  rule(set: RuleSet, request: RuleRequest): Ruled | undefined
  /** @throws Error where the engine gives a wrong answer or none, even after a rebuild */
  selfTest(): void
}

export interface CedarEngineOptions {
  /**
   * Gives an instance of the package. It should be a fresh one each time, which takes a module
   * loader of the runtime; the default gives always the same, which cannot be rebuilt.
   */
  readonly loadCedar?: () => CedarModule
}

/** Every exception out of the WebAssembly leaks some of its stack, which a thousand use up. */
const MAX_FAULTS = 100

/** Makes the engine; nothing is loaded or tested before it is asked. */
export function createCedarEngine(options: CedarEngineOptions = {}): CedarEngine {
  const { loadCedar = () => cedarWasm } = options
  let instance: CedarInstance | undefined
  let faults = 0

  function current(): CedarInstance {
    instance ??= createCedarInstance(loadCedar())
    return instance
  }

  /** After a fault: goes on with this instance if it is sound, else with a new one. */
  function recover(): void {
    faults++
    if (faults < MAX_FAULTS && isSound(current())) return
    faults = 0
    instance = undefined
  }

  function attempt<T>(work: (engine: CedarInstance) => T): T | undefined {
    try {
      return work(current())
    } catch {
      return undefined
    }
  }

  function twice<T>(work: (engine: CedarInstance) => T): T | undefined {
    const answer = attempt(work)
    if (answer !== undefined) return answer
    recover()
    return attempt(work)
  }

  return {
    judge(policyText, contexts) {
      const allowed = twice((engine) =>
        contexts.every((context) => engine.allows(policyText, context)),
      )
      if (allowed === undefined) return 'fault'
      return allowed ? 'allow' : 'deny'
    },
    holds: (policyText) => instance?.holds(policyText) ?? false,
    rule: (set, request) => twice((engine) => engine.rule(set, request)),
    selfTest() {
      if (instance !== undefined && isSound(instance)) return
      instance = undefined
      testInstance(current())
    },
  }
}

function isSound(instance: CedarInstance): boolean {
  try {
    testInstance(instance)
    return true
  } catch {
    return false
  }
}
