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
