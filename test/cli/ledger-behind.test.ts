import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openLedgerIndex } from '../../adapters/ledger/index/open.ts'
import { openSegmentLog } from '../../adapters/ledger/segment/log.ts'
import { databaseFiles, statePaths } from '../../gateway/state/paths.ts'
import { narrowgate } from './process.ts'

// The log has an owner whose index stands still: the command line waits its five seconds, then says so. Seven seconds.

const recordOf = (id: string) => ({
  id,
  opened: '2026-01-01T00:00:00.000Z',
  outcome: 'refused',
  code: 'expired',
})

t.test('what is not indexed in time is said to be missing, and the rest is shown', async (t) => {
  const state = join(t.testdir(), 'state')
  mkdirSync(state, { mode: 0o700 })
  const paths = statePaths(state)
  const folder = paths.ledger
  const log = await openSegmentLog({ folder, mode: 'strict', clock: Date })
  t.teardown(() => log.close())
  const openIndex = () => openLedgerIndex({ folder, file: databaseFiles(paths).index, log })
  await log.refusal(recordOf('first'))
  const stopped = await openIndex()
  await stopped.close()
  await log.refusal(recordOf('second'))

  const ask = (...args: readonly string[]) =>
    narrowgate(['ledger', ...args], { env: { NARROWGATE_STATE: state } })
  const idsOf = (stdout: string) => (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)
  const behind = /^narrowgate: ledger .*the gateway did not index the log within `5000` ms; .*\n$/
  const [list, first, second] = await Promise.all([
    ask('list', '--json'),
    ask('show', 'first'),
    ask('show', 'second'),
  ])
  t.match(list, { exit: 0, stderr: behind })
  t.same(idsOf(list.stdout), ['first'])
  t.match(first, { exit: 0, stdout: /"first"/, stderr: behind })
  t.match(second, { exit: 1, stdout: '', stderr: /did not index[^]*second/ })

  const index = await openIndex()
  t.teardown(() => index.close())
  await index.sync()
  const whole = await ask('list', '--json')
  t.match(whole, { exit: 0, stderr: '' })
  t.same(idsOf(whole.stdout), ['second', 'first'], 'and nothing is said where all of it is there')
})
