import t from 'tap'
import type { CedarModule } from '../../../policy/index.ts'
import { createCedarInstance } from '../../../policy/cedar/instance.ts'
import { loadFreshCedar } from '../support.ts'

void t.test(
  'any number of policies share a thousand names, and each answers for itself',
  async (t) => {
    const module = loadFreshCedar()
    const names = new Set<string>()
    const watching: CedarModule = {
      preparsePolicySet(name, policies) {
        names.add(name)
        return module.preparsePolicySet(name, policies)
      },
      statefulIsAuthorized: (call) => module.statefulIsAuthorized(call),
    }
    const instance = createCedarInstance(watching)
    const policy = (index: number) =>
      `permit (principal, action, resource) when { context.x0 == "${index}" };`
    let wrong = 0
    for (let index = 0; index < 1300; index++) {
      if (!instance.allows(policy(index), { x0: String(index) })) wrong++
    }
    for (const index of [0, 1, 299, 301, 1299]) {
      if (!instance.allows(policy(index), { x0: String(index) })) wrong++
      if (instance.allows(policy(index), { x0: 'other' })) wrong++
    }
    t.equal(wrong, 0)
    t.equal(names.size, 1000)
  },
)

void t.test('what is prepared at one time has a bound, and a longer policy is alone', async (t) => {
  const module = loadFreshCedar()
  const held = new Map<string, number>()
  const lengthOf = () => [...held.values()].reduce((sum, length) => sum + length, 0)
  let most = 0
  const watching: CedarModule = {
    preparsePolicySet(name, policies) {
      const texts = Object.values((policies.staticPolicies ?? {}) as Record<string, string>)
      held.set(name, texts.join('').length)
      most = Math.max(most, lengthOf())
      return module.preparsePolicySet(name, policies)
    },
    statefulIsAuthorized: (call) => module.statefulIsAuthorized(call),
  }
  const instance = createCedarInstance(watching)
  const policy = (index: number, length: number) =>
    `permit (principal, action, resource) when { context.x0 == "${index}" }; // ${'x'.repeat(length)}`
  for (let index = 0; index < 100; index++)
    t.ok(instance.allows(policy(index, 100_000), { x0: String(index) }))
  t.ok(instance.holds(policy(99, 100_000)))
  t.notOk(instance.holds(policy(0, 100_000)), 'the oldest was let go')
  t.ok(instance.allows(policy(0, 100_000), { x0: '0' }), 'and is read anew')
  t.ok(most <= 4_194_304 + 200_000, `${most} at most`)
  t.ok(instance.allows(policy(7, 5_000_000), { x0: '7' }))
  t.ok(instance.allows(policy(8, 5_000_000), { x0: '8' }))
  t.ok(lengthOf() < 5_100_000)
})
