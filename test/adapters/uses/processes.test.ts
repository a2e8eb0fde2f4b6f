import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { openEmbeddedUses } from '../../../adapters/uses/embedded.ts'
import { FROM_SOURCE } from '../../helpers/from-source.ts'
import { makeFolder } from '../ledger/rig.ts'

const run = promisify(execFile)
const child = new URL('./reserve.child.ts', import.meta.url).pathname

t.test('two processes with 200 calls share a limit of 5 exactly', async (t) => {
  const file = join(makeFolder(t), 'uses.sqlite')
  const each = () => run(process.execPath, [FROM_SOURCE, child, file, '100'])
  const reports = await Promise.all([each(), each()])
  t.equal(
    reports.reduce((sum, { stdout }) => sum + Number(stdout), 0),
    5,
  )
  const uses = openEmbeddedUses({ file })
  t.equal((await uses.read(['shared'])).get('shared'), 5)
  uses.close()
})
