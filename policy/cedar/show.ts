import * as cedarWasm from '@cedar-policy/cedar-wasm/nodejs'
import type { Caveat } from '../caveat.ts'
import { compilePolicy, contextName } from './compile.ts'

/** Lines as the second engine gets them. */
export interface CedarText {
  /** One `permit`, formatted. */
  readonly policy: string
  /** What each attribute of the context reads from the call: `{x0: 'tool'}`. */
  readonly context: Readonly<Record<string, string>>
}

/** The Cedar policy of some lines, for people to read. */
export function cedarOf(caveats: readonly Caveat[]): CedarText {
  const { text, attributes } = compilePolicy(caveats)
  const formatted = cedarWasm.formatPolicies({ policyText: text, lineWidth: 100, indentWidth: 2 })
  return {
    policy: formatted.type === 'success' ? formatted.formatted_policy.trim() : text,
    context: Object.fromEntries(attributes.map(({ key }, place) => [contextName(place), key])),
  }
}
