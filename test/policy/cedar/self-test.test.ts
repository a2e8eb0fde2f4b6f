import t from 'tap'
import type { CedarContext } from '../../../policy/cedar/context.ts'
import { type CedarInstance, createCedarInstance } from '../../../policy/cedar/instance.ts'
import { testInstance } from '../../../policy/cedar/self-test.ts'
import { loadFreshCedar } from '../support.ts'

const sound = createCedarInstance(loadFreshCedar())

/** The sound instance, but for what it says at one of the questions of the self-test. */
function wrongAt(place: number, say: () => boolean): CedarInstance {
  let asked = 0
  return {
    ...sound,
    allows: (policy: string, context: CedarContext) =>
      asked++ === place ? say() : sound.allows(policy, context),
  }
}

t.doesNotThrow(() => testInstance(sound))
t.throws(() => testInstance(wrongAt(0, () => false)), /refuses what it must allow/)
for (const place of [1, 2, 3])
  t.throws(() => testInstance(wrongAt(place, () => true)), /allows what it must refuse/)
for (const said of [true, false])
  t.throws(() => testInstance(wrongAt(4, () => said)), /does not report a missing attribute/)
