import t from 'tap'
import { createCedarEngine } from '../../../policy/index.ts'
import { createCedarInstance } from '../../../policy/cedar/instance.ts'
import { loadFreshCedar } from '../support.ts'

const policy = (name: string) =>
  `permit (principal, action, resource) when { context.x0 == "${name}" };`

t.test('a policy is held from when it was first asked', async (t) => {
  const engine = createCedarEngine({ loadCedar: loadFreshCedar })
  t.equal(engine.holds(policy('a')), false, 'before anything is loaded')
  t.equal(engine.judge(policy('a'), [{ x0: 'a' }]), 'allow')
  t.strictSame([engine.holds(policy('a')), engine.holds(policy('b'))], [true, false])
})

t.test('no two policies have one name, so that an answer tells which gave it', async (t) => {
  const names: string[] = []
  const instance = createCedarInstance({
    preparsePolicySet(_name, { staticPolicies }) {
      names.push(...Object.keys(staticPolicies ?? {}))
      return { type: 'success' }
    },
    statefulIsAuthorized: () => ({
      type: 'success',
      warnings: [],
      response: { decision: 'allow', diagnostics: { reason: names.slice(0, 1), errors: [] } },
    }),
  })
  t.equal(instance.allows(policy('a'), {}), true)
  t.throws(() => instance.allows(policy('b'), {}), /another policy/)
  t.equal(new Set(names).size, 2)
})
