import { join } from 'node:path'
import t from 'tap'
import { openReadOnlyIndex } from '../../../../adapters/ledger/index/readonly.ts'
import { makeFolder, openLog } from '../rig.ts'
import { addExchange, openBoth } from './rig.ts'

t.test('beside a gateway it reads what the gateway indexes', async (t) => {
  const { folder, file, log, index } = await openBoth(t)
  const reader = await openReadOnlyIndex({ folder, file })
  await addExchange(log, { id: 'x' })
  await reader.sync()
  t.match(await reader.get('x'), { outcome: 'allowed' })
  t.equal(reader.lag(), 0)
  await reader.close()
  t.match(await index.counts({}), { allowed: 1 })
})

t.test('without a gateway it catches up with the log itself', async (t) => {
  const folder = makeFolder(t)
  const file = join(folder, 'apart', 'index.sqlite')
  const { log } = await openLog(folder)
  await addExchange(log, { id: 'x' })
  await log.close()
  const reader = await openReadOnlyIndex({ folder, file })
  t.match(await reader.get('x'), { seq: 1 })
  const second = await openLog(folder)
  await addExchange(second.log, { id: 'y' })
  t.equal(reader.lag(), 2)
  await reader.sync()
  t.match(await reader.get('y'), { seq: 2 })
  await second.log.close()
  await reader.close()
})
