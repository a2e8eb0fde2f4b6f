import { join } from 'node:path'
import t from 'tap'
import { openEmbeddedGrants } from '../../../adapters/grants/embedded.ts'
import { testGrants } from '../../conformance/grants.ts'
import { makeFolder } from '../ledger/rig.ts'

testGrants(t, async (t) => {
  const file = join(makeFolder(t), 'grants.sqlite')
  return async () => {
    const grants = openEmbeddedGrants({ file })
    t.teardown(() => grants.close())
    return grants
  }
})
