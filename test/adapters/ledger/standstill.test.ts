import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { makeFolder, openLog } from './rig.ts'

const DEADLINE_MS = 60

t.test('what the disk answered while the process stood still is heard', async (t) => {
  const { log } = await openLog(makeFolder(t), { deadlineMs: DEADLINE_MS })
  t.teardown(() => log.close())
  await log.event({ event: 'before' })
  for (let round = 0; round < 20; round++) {
    const kept = log.event({ event: 'during', data: { round } })
    // The write is under way: the disk is done with it long before the process goes on.
    await nextTurn()
    const until = performance.now() + 3 * DEADLINE_MS
    while (performance.now() < until) Math.sqrt(round)
    await t.resolves(kept, `round ${round}`)
  }
})
