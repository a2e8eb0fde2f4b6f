import t from 'tap'
import { createRuling } from '../../../../policy/cedar/guardrails/ruling.ts'
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

const SET = { policies: ['forbid (principal, action, resource);'] }
const REQUEST = {
  principal: { type: 'Grant', id: 'g_1' },
  resource: { type: 'Tool', id: 'A' },
  entities: [],
  context: {},
}

/** A module that gives these answers, and what was asked of it. */
function answering(answer: Answer, prepared: 'success' | 'failure' = 'success') {
  const asked: unknown[] = []
  let preparations = 0
  const rule = createRuling({
    preparsePolicySet() {
      preparations++
      return prepared === 'success' ? { type: prepared } : { type: prepared, errors: [] }
    },
    statefulIsAuthorized(call) {
      asked.push(call)
      return answer
    },
  })
  return { rule: (set = SET) => rule(set, REQUEST), asked, preparations: () => preparations }
}

t.test('an answer that is not clearly one of the set says so', async (t) => {
  const unclear: readonly (readonly [message: string, answer: Answer])[] = [
    ['cedar: the answer comes from other guardrails', success('allow', ['guardrail-9-0'])],
    ['cedar: the answer comes from other guardrails', success('allow', ['guardrail-0-0'], ['x'])],
    ['cedar: the answer is neither the base nor a guardrail', success('allow', [])],
    [
      'cedar: the answer is neither the base nor a guardrail',
      success('allow', ['guardrail-0-0', 'guardrail-0-1']),
    ],
    [
      'cedar: the answer is neither the base nor a guardrail',
      success('deny', ['guardrail-0-1', 'guardrail-0-0']),
    ],
    ['cedar: the request was not accepted', { type: 'failure', errors: [], warnings: [] }],
  ]
  for (const [message, answer] of unclear)
    t.throws(() => answering(answer).rule(), { message }, JSON.stringify(answer))
  const { rule, asked } = answering(success('allow', ['guardrail-0-0']), 'failure')
  t.throws(() => rule(), { message: 'cedar: the guardrails were not accepted' })
  t.same(asked, [], 'what was not taken is not asked')
})

t.test('a set is prepared once, and asked as it is', async (t) => {
  const { rule, asked, preparations } = answering(success('allow', ['guardrail-0-0']))
  t.strictSame([rule(), rule()], Array(2).fill({ forbidding: [], failing: [] }))
  t.equal(preparations(), 1)
  const action = { type: 'Action', id: 'call' }
  t.strictSame(asked[0], { ...REQUEST, action, preparsedPolicySetId: 'guardrails' })
  t.throws(() => rule({ ...SET }), /other guardrails/, 'the next set has other names')
  t.equal(preparations(), 2)
})
