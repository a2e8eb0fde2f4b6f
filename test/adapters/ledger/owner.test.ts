import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { logOwner } from '../../../adapters/ledger/segment/owner.ts'
import { FROM_SOURCE } from '../../helpers/from-source.ts'
import { makeFolder, openLog } from './rig.ts'

const child = new URL('./append.child.ts', import.meta.url).pathname

t.test('a second owner in the same process is refused', async (t) => {
  const folder = makeFolder(t)
  t.equal(logOwner(folder), undefined)
  const { log } = await openLog(folder)
  await t.rejects(
    openLog(folder),
    new RegExp(`another process writes to it, pid \`${process.pid}\``),
  )
  t.same(logOwner(folder), { pid: process.pid })
  await log.close()
  t.equal(logOwner(folder), undefined)
  await (await openLog(folder)).log.close()
})

t.test('another process is refused as long as the first lives, and not longer', async (t) => {
  const folder = makeFolder(t)
  const owner = spawn(
    process.execPath,
    [FROM_SOURCE, child, folder, join(makeFolder(t), 'notes')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(owner.stdout, 'data')
  await t.rejects(openLog(folder), new RegExp(`pid \`${owner.pid}\``))
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  const { log } = await openLog(folder)
  t.equal(log.ready().ok, true)
  await log.close()
})
