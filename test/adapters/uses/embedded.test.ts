import { join } from 'node:path'
import Database from 'better-sqlite3'
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

t.test(
  'a file that cannot answer is told as the counters’ fault, and nothing is let through',
  async (t) => {
    const file = join(folder, 'damaged.sqlite')
    const uses = openEmbeddedUses({ file })
    t.teardown(() => uses.close())
    const line = { link: 'a', limit: 5 }
    t.match(await uses.reserve([line]), { ok: true })
    const other = new Database(file)
    other.exec('ALTER TABLE uses RENAME TO elsewhere')
    const fault = { code: 'uses_unavailable', message: /^uses: no such table/ }
    await t.rejects(uses.reserve([line]), fault)
    await t.rejects(uses.giveBack({ links: ['a'] }), fault)
    await t.rejects(uses.read(['a']), fault)
    other.exec('ALTER TABLE elsewhere RENAME TO uses')
    other.close()
    t.same((await uses.read(['a'])).get('a'), 1, 'and it is as it was once it can')
  },
)
