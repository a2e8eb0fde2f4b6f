import t from 'tap'
import { type CedarModule, createCedarEngine, createDecider } from '../../../policy/index.ts'
import { createCedarInstance } from '../../../policy/cedar/instance.ts'
import { askOf, loadFreshCedar, tokenOf } from '../support.ts'

// Only one kind of answer is a yes: success, allow, no errors, and exactly our policy as reason.

type Answer = ReturnType<CedarModule['statefulIsAuthorized']>

const POLICY = 'permit (principal, action, resource);'

function answered(answer: (policy: string) => Answer) {
  let policy = ''
  const instance = createCedarInstance({
    preparsePolicySet(_name, { staticPolicies }) {
      policy = Object.keys(staticPolicies ?? {})[0] ?? ''
      return { type: 'success' }
    },
    statefulIsAuthorized: () => answer(policy),
  })
  return () => instance.allows(POLICY, {})
}

function success(decision: 'allow' | 'deny', reason: string[], errors: string[] = []): Answer {
  const details = errors.map((policyId) => ({
    policyId,
    error: { message: 'x', help: null, code: null, url: null, severity: null },
  }))
  return {
    type: 'success',
    warnings: [],
    response: { decision, diagnostics: { reason, errors: details } },
  }
}

t.equal(answered((policy) => success('allow', [policy]))(), true)
t.equal(answered(() => success('deny', []))(), false)

t.throws(
  answered(() => ({ type: 'failure', errors: [], warnings: [] })),
  /not accepted/,
)
t.throws(
  answered((policy) => success('allow', [policy], [policy])),
  /met an error/,
)
t.throws(
  answered((policy) => success('deny', [], [policy])),
  /met an error/,
)
t.throws(
  answered(() => success('allow', [])),
  /another policy/,
)
t.throws(
  answered(() => success('allow', ['policy-99'])),
  /another policy/,
)
t.throws(
  answered((policy) => success('allow', [policy, 'policy-99'])),
  /another policy/,
)
t.throws(
  answered((policy) => success('deny', [policy])),
  /another policy/,
)

void t.test('a policy that the engine refuses does not leave an older one to answer', async (t) => {
  const instance = createCedarInstance(loadFreshCedar())
  t.equal(instance.allows(POLICY, {}), true)
  t.throws(() => instance.allows('permit (principal, action, resource) when { ( };', {}), /policy/)
  t.equal(instance.allows(POLICY, {}), true)
})

void t.test('an error in a policy is no verdict', async (t) => {
  const engine = createCedarEngine({ loadCedar: loadFreshCedar })
  const text = 'permit (principal, action, resource) when { context.missing == "x" };'
  t.equal(engine.judge(text, [{}]), 'fault')
  t.equal(engine.judge(POLICY, [{}]), 'allow')
})

void t.test('without a verdict nothing is allowed, and it is told and counted', async (t) => {
  let counted = 0
  const broken: CedarModule = {
    preparsePolicySet: () => ({ type: 'success' }),
    statefulIsAuthorized: () => success('allow', ['policy-of-another']),
  }
  const cedar = createCedarEngine({ loadCedar: () => broken })
  const decider = createDecider({ cedar, metrics: { disagreement: () => counted++ } })
  const judged = decider.judge(tokenOf('tools = *'), askOf())
  t.match(judged, { allow: false, disagreement: true, reasons: [{ code: 'policy_disagreement' }] })
  t.equal(counted, 1)
  t.throws(() => decider.selfTest(), /cedar/)
})
