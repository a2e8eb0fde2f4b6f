import { join } from 'node:path'
import t from 'tap'
import { openEmbeddedGrants } from '../../../adapters/grants/embedded.ts'
import { makeFolder } from '../ledger/rig.ts'

t.test(
  'revocations that cannot be refreshed are not relied on for longer than a second',
  async (t) => {
    const grants = openEmbeddedGrants({ file: join(makeFolder(t), 'grants.sqlite'), pollMs: 50 })
    grants.close()
    t.equal(grants.revoked('g', []), undefined, 'fresh enough')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    t.throws(() => grants.revoked('g', []), /they cannot be read/)
  },
)
