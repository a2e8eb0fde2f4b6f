import * as cedarWasm from '@cedar-policy/cedar-wasm/nodejs'
import type { CedarContext } from './context.ts'
import { type CedarInstance, type CedarModule, createCedarInstance } from './instance.ts'
import { testInstance } from './self-test.ts'

/** `fault` where the engine gave no clear answer: it counts as no. */
export type Verdict = 'allow' | 'deny' | 'fault'

/** The second engine, behind guards: it never throws into a decision. */
export interface CedarEngine {
  /** `allow` only where the policy allows every one of the contexts. */
  judge(policyText: string, contexts: readonly CedarContext[]): Verdict
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

  function tryJudge(policyText: string, contexts: readonly CedarContext[]): Verdict {
    try {
      const engine = current()
      return contexts.every((context) => engine.allows(policyText, context)) ? 'allow' : 'deny'
    } catch {
      return 'fault'
    }
  }

  return {
    judge(policyText, contexts) {
      const verdict = tryJudge(policyText, contexts)
      if (verdict !== 'fault') return verdict
      recover()
      return tryJudge(policyText, contexts)
    },
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
