import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { verifySegments } from '../../../adapters/ledger/verify.ts'
import { FROM_SOURCE } from '../../helpers/from-source.ts'
import { makeFolder, openLog, recordsOf, RUNS } from './rig.ts'

const child = new URL('./append.child.ts', import.meta.url).pathname

// About ten seconds on an idle machine: most of it is the start of twenty processes.
t.test(
  'what was promised before a SIGKILL is in the log',
  { timeout: 110_000 * Math.max(1, RUNS) },
  async (t) => {
    const folder = makeFolder(t)
    const faults: object[] = []
    for (let round = 0; round < Math.ceil(20 * RUNS); round += 1) {
      const promised = await appendUntilKilled(folder, 20 + Math.random() * 60)
      const { log, alarms } = await openLog(folder)
      await log.close()
      const kept = new Set(
        recordsOf(folder).flatMap(({ kind, n }) => (kind === 'segment' ? [] : [n])),
      )
      const lost = promised.filter((n) => !kept.has(n))
      const { verdict, openIntents } = await verifySegments(folder)
      const damaged = alarms.some(({ kind }) => kind === 'damage')
      if (
        lost.length > 0 ||
        verdict !== 'ok' ||
        openIntents.length > 0 ||
        damaged ||
        promised.length === 0
      ) {
        faults.push({ round, lost, verdict, openIntents, alarms, promised: promised.length })
      }
    }
    t.same(faults, [], 'nothing was lost')
  },
)

async function appendUntilKilled(folder: string, ms: number): Promise<readonly number[]> {
  const notes = join(folder, 'notes')
  const args = [FROM_SOURCE, child, folder, notes]
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(writer.stdout, 'data')
  await sleep(ms)
  writer.kill('SIGKILL')
  await once(writer, 'close')
  return readFileSync(notes, 'utf8').trimEnd().split('\n').map(Number)
}
