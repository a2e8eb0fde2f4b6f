import Module from 'node:module'
import type { Test } from 'tap'
import type { CedarModule } from '../../../policy/index.ts'
import { nothingSent, proofOf } from './scene.ts'
import { BLIND, TO_BLIND } from './stores.ts'

// A second engine that is not sound: its package is the real one, and what it says of some calls is bent.

type Authorize = CedarModule['statefulIsAuthorized']
type Bend = (answer: ReturnType<Authorize>, asked: string) => ReturnType<Authorize>

/** Bends what the package says in this process, until the test ends. */
function bendCedar(t: Test, bend: Bend): void {
  // It is CommonJS, and loaded anew for each engine.
  const loader = Module as unknown as { _load(this: void, ...args: unknown[]): unknown }
  const { _load: load } = loader
  loader._load = (...args) => {
    const loaded = load(...args)
    if (!String(args[0]).startsWith('@cedar-policy/cedar-wasm')) return loaded
    const cedar = loaded as CedarModule
    const statefulIsAuthorized: Authorize = (call) =>
      bend(cedar.statefulIsAuthorized(call), JSON.stringify(call))
    return { ...cedar, statefulIsAuthorized }
  }
  t.teardown(() => {
    loader._load = load
  })
}

const DENIED: ReturnType<Authorize> = {
  type: 'success',
  response: { decision: 'deny', diagnostics: { reason: [], errors: [] } },
  warnings: [],
}
const FAILED: ReturnType<Authorize> = { type: 'failure', errors: [], warnings: [] }

const bent: Bend = (answer, asked) => {
  if (asked.includes('/denied') || asked.includes('blind.test')) return DENIED
  return asked.includes('/failed') ? FAILED : answer
}

const READ = ['arg HTTP_GET.url_path glob /*', 'arg HTTP_CONNECT.host glob *']

const disagreeing = proofOf({
  name: 'engines that do not agree',
  options: {
    ...BLIND,
    first: (t) => bendCedar(t, bent),
    beside: {
      files: {
        'g.cedar': 'forbid (principal, action, resource) when { context.path like "/never" };',
      },
    },
    config: { guardrails: { files: ['./g.cedar'] } },
  },
  calls: [
    { code: 'policy_disagreement', lines: READ, asked: { path: '/denied' } },
    { code: 'policy_disagreement', lines: READ, asked: { path: '/failed' } },
    // The lines read no path here, so that the guardrails alone have no verdict.
    { code: 'guardrail', asked: { path: '/failed' } },
  ],
  connects: [{ code: 'policy_disagreement', lines: READ, connect: TO_BLIND }],
  end: nothingSent,
})

const unsound = proofOf({
  name: 'an engine that fails its self-test',
  options: { ...BLIND, first: (t) => bendCedar(t, () => DENIED) },
  calls: [{ code: 'not_ready' }],
  connects: [{ code: 'not_ready', connect: TO_BLIND }],
  end: nothingSent,
})

export const ENGINE = [disagreeing, unsound]
