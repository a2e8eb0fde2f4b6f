import { join } from 'node:path'
import t from 'tap'
import { openEmbeddedUses } from '../../../adapters/uses/embedded.ts'
import { makeFolder } from '../ledger/rig.ts'

t.test('a counter goes when no token that shares it can be valid any more', async (t) => {
  const file = join(makeFolder(t), 'uses.sqlite')
  const first = openEmbeddedUses({ file, now: () => 1000 })
  await first.reserve([
    { link: 'ends', limit: 3, expires: 2000 },
    { link: 'stays', limit: 3 },
  ])
  first.close()
  const second = openEmbeddedUses({ file, now: () => 3000 })
  await second.reserve([{ link: 'other', limit: 3 }])
  t.same([...(await second.read(['ends', 'stays'])).keys()], ['stays'])
  second.close()
})
