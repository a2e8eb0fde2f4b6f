import { join } from 'node:path'
import t from 'tap'
import { openEmbeddedUses } from '../../../adapters/uses/embedded.ts'
import { testUseCounters } from '../../conformance/uses.ts'
import { makeFolder } from '../ledger/rig.ts'

const folder = makeFolder(t)
let count = 0
testUseCounters(t, () => {
  const uses = openEmbeddedUses({ file: join(folder, `${(count += 1)}.sqlite`) })
  t.teardown(() => uses.close())
  return uses
})
