import t from 'tap'
import { type CedarModule, createCedarEngine } from '../../../../policy/index.ts'
import { loadFreshCedar } from '../../support.ts'
import { callOf, forbid, forbiddenBy, guardOf } from './_call.ts'

type Answer = ReturnType<CedarModule['statefulIsAuthorized']>

const FORBIDS = `@id("it") ${forbid('resource.port == 443')}`

t.test('two sets take turns on one engine, as around a reload', async (t) => {
  const engine = createCedarEngine({ loadCedar: loadFreshCedar })
  const [one, other] = [guardOf(FORBIDS, engine), guardOf(forbid('resource.port == 80'), engine)]
  for (let port = 400; port < 450; port++) {
    t.same(forbiddenBy(one, callOf({ port })), port === 443 ? ['it'] : [])
    t.same(forbiddenBy(other, callOf({ port })), [])
  }
})

/** An engine whose answers are put in the place of the real ones. */
function guardWith(change: (answer: Answer, module: CedarModule) => Answer) {
  const engine = createCedarEngine({
    loadCedar() {
      const module = loadFreshCedar()
      return {
        ...module,
        preparsePolicySet: (name, set) => module.preparsePolicySet(name, set),
        statefulIsAuthorized: (call) => change(module.statefulIsAuthorized(call), module),
      }
    },
  })
  return guardOf(FORBIDS, engine)
}

const success = (decision: 'allow' | 'deny', reason: string[], errors: string[] = []): Answer => ({
  type: 'success',
  response: {
    decision,
    diagnostics: {
      reason,
      errors: errors.map((policyId) => ({
        policyId,
        error: { message: 'x', help: null, code: null, url: null, severity: null },
      })),
    },
  },
  warnings: [],
})

const UNCLEAR: Readonly<Record<string, Answer>> = {
  'an answer of another set': success('allow', ['guardrail-99-0']),
  'a leave that no policy gave': success('allow', []),
  'a leave by a guardrail': success('allow', ['guardrail-0-1']),
  'a denial without a reason': success('deny', []),
  'a denial by the base': success('deny', ['guardrail-0-0']),
  'an error of another set': success('allow', ['guardrail-0-0'], ['policy0']),
  'a request that was not accepted': { type: 'failure', errors: [], warnings: [] },
}

for (const [name, answer] of Object.entries(UNCLEAR)) {
  t.test(`${name} refuses`, async (t) => {
    const reasons = guardWith(() => answer).against(callOf({ port: 1 }))
    t.match(reasons, [{ code: 'guardrail', got: /no verdict/ }])
  })
}

t.test('an error beside the leave of the base refuses', async (t) => {
  const guard = guardWith((answer) => {
    const base = answer.type === 'success' ? answer.response.diagnostics.reason : []
    return success(
      'allow',
      [...base],
      base.map((id) => id.replace(/0$/, '1')),
    )
  })
  t.match(guard.against(callOf({ port: 1 })), [{ got: /error/, caveat: /^it / }])
})

t.test('a set that is not taken leaves no older one in its place', async (t) => {
  let refuse = false
  const engine = createCedarEngine({
    loadCedar() {
      const module = loadFreshCedar()
      return {
        ...module,
        preparsePolicySet: (name, set) =>
          refuse && name === 'guardrails'
            ? { type: 'failure', errors: [] }
            : module.preparsePolicySet(name, set),
        statefulIsAuthorized: (call) => module.statefulIsAuthorized(call),
      }
    },
  })
  const old = guardOf(forbid('resource.port == 80'), engine)
  t.same(old.against(callOf()), [])
  refuse = true
  t.match(guardOf(FORBIDS, engine).against(callOf()), [{ got: /no verdict/ }])
})
