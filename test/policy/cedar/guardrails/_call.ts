import {
  createCedarEngine,
  createGuard,
  readGuardrails,
  type Guard,
  type GuardedCall,
} from '../../../../policy/index.ts'
import { askOf, loadFreshCedar } from '../../support.ts'

/** A call that is GET https://api.test/a, but for what is given. */
export function callOf(
  over: Partial<Omit<GuardedCall, 'ask'>> & { readonly ask?: Parameters<typeof askOf>[0] } = {},
): GuardedCall {
  return {
    grant: { id: 'g_1' },
    method: 'GET',
    scheme: 'https',
    host: 'api.test',
    port: 443,
    path: '/a',
    generic: true,
    ...over,
    ask: askOf({ tool: 'HTTP_GET', ...over.ask }),
  }
}

/** Guardrails of one file, in force. */
export function guardOf(
  text: string,
  engine = createCedarEngine({ loadCedar: loadFreshCedar }),
): Guard {
  const { guardrails, problems } = readGuardrails([{ file: 'g.cedar', text }])
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  return createGuard(guardrails, engine)
}

/** A `forbid` under a condition. */
export function forbid(condition: string): string {
  return `forbid (principal, action, resource) when { ${condition} };`
}

/** The guardrails that forbid the call, by name. */
export function forbiddenBy(guard: Guard, call: GuardedCall): readonly string[] {
  return guard.against(call).map(({ caveat }) => caveat.replace(/ \(.*/, ''))
}
