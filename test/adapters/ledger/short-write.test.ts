import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { verifySegments } from '../../../adapters/ledger/verify.ts'
import { eventually } from '../../helpers/eventually.ts'
import { FROM_SOURCE } from '../../helpers/from-source.ts'
import { makeFolder, segmentFiles } from './rig.ts'

const child = new URL('./append.child.ts', import.meta.url).pathname
/** In blocks of 512 bytes: less than the size at which the child's segments are full. */
const LIMIT_BLOCKS = 24

t.test('a write that the kernel cuts short ends its segment and loses nothing', async (t) => {
  const folder = makeFolder(t)
  const notes = join(makeFolder(t), 'notes')
  // Without the runner's own hooks, whose notes on each process are longer than the limit.
  const script = `unset NODE_OPTIONS && ulimit -f ${LIMIT_BLOCKS} && exec "$@"`
  const command = [process.execPath, FROM_SOURCE, child, folder, notes]
  const writer = spawn('sh', ['-c', script, 'sh', ...command])
  t.teardown(() => writer.kill('SIGKILL'))
  const isEnough = () => segmentFiles(folder).length > 4
  t.ok(await eventually(isEnough, 30_000), 'several segments')
  writer.kill('SIGKILL')
  await once(writer, 'exit')
  const sizes = segmentFiles(folder).map((file) => statSync(file).size)
  t.ok(
    Math.max(...sizes) <= LIMIT_BLOCKS * 512,
    `no segment is longer than may be: ${sizes.join(' ')}`,
  )
  t.match(await verifySegments(folder), { verdict: /ok|torn/ })
  const durable = readFileSync(notes, 'utf8').split('\n').slice(0, -1).map(Number)
  t.ok(durable.length > 20, `${durable.length} records were said to be durable`)
  // The last line may have been on its way when the process was killed.
  const lines = segmentFiles(folder).flatMap((file) =>
    readFileSync(file, 'utf8').split('\n').slice(0, -1),
  )
  const kept = new Set(lines.map((line) => (JSON.parse(line.slice(65)) as { n: number }).n))
  t.same(
    durable.filter((n) => !kept.has(n)),
    [],
    'and all of them are there',
  )
})
