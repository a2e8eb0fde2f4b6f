import t from 'tap'
import { type CedarModule, createCedarEngine } from '../../../policy/index.ts'
import { loadFreshCedar } from '../support.ts'

const ALLOW = 'permit (principal, action, resource) when { context.x0 == "a" };'

/** Does to an instance what the gate keeps away: texts that throw out of its WebAssembly. */
function kill(module: CedarModule): void {
  for (let round = 0; round < 5000; round++) {
    try {
      module.preparsePolicySet('\ud800', { staticPolicies: '\ud800' })
      module.statefulIsAuthorized({
        principal: { type: 'Holder', id: 'h' },
        action: { type: 'Action', id: 'call' },
        resource: { type: 'Tool', id: 't' },
        context: { x0: '\ud800' },
        preparsedPolicySetId: 'none',
        entities: [],
      })
    } catch {
      // Each of these leaks some of the instance's stack.
    }
  }
}

void t.test(
  'an instance that died is replaced, and the call is judged by the new one',
  async (t) => {
    const loaded: CedarModule[] = []
    const engine = createCedarEngine({
      loadCedar() {
        const module = loadFreshCedar()
        loaded.push(module)
        return module
      },
    })
    engine.selfTest()
    t.equal(engine.judge(ALLOW, [{ x0: 'a' }]), 'allow')
    for (const module of loaded) kill(module)
    t.equal(engine.judge(ALLOW, [{ x0: 'a' }]), 'allow')
    t.equal(engine.judge(ALLOW, [{ x0: 'b' }]), 'deny')
    t.equal(loaded.length, 2, 'it was dead, and one new instance was made')
    engine.selfTest()
  },
)

void t.test('where it cannot be replaced it says no, and the self-test throws', async (t) => {
  const module = loadFreshCedar()
  const engine = createCedarEngine({ loadCedar: () => module })
  engine.selfTest()
  kill(module)
  t.equal(engine.judge(ALLOW, [{ x0: 'a' }]), 'fault')
  t.throws(() => engine.selfTest())
})

void t.test('before exceptions use up its stack it is replaced', async (t) => {
  let loads = 0
  const engine = createCedarEngine({
    loadCedar() {
      loads++
      return loadFreshCedar()
    },
  })
  for (let round = 0; round < 110; round++) {
    t.equal(engine.judge(ALLOW, [{}]), 'fault', 'a missing attribute is an error')
  }
  t.equal(loads, 2)
  t.equal(engine.judge(ALLOW, [{ x0: 'a' }]), 'allow')
})

void t.test('an instance that answers wrongly is not sound', async (t) => {
  for (const decision of ['allow', 'deny'] as const) {
    let policy = ''
    const engine = createCedarEngine({
      loadCedar: () => ({
        preparsePolicySet(_name, { staticPolicies }) {
          policy = Object.keys(staticPolicies ?? {})[0] ?? ''
          return { type: 'success' }
        },
        statefulIsAuthorized: () => ({
          type: 'success',
          warnings: [],
          response: {
            decision,
            diagnostics: { reason: decision === 'allow' ? [policy] : [], errors: [] },
          },
        }),
      }),
    })
    t.throws(() => engine.selfTest(), /the engine (allows|refuses) what it must/)
  }
})
