import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkIndex } from '../../cli/doctor/grants.ts'
import { openOffline } from '../../gateway/offline.ts'
import { openLog } from '../adapters/ledger/rig.ts'
import { startCluster } from '../helpers/postgres.ts'
import { run } from './in-process.ts'

const cluster = await startCluster(t)
if (cluster !== undefined) {
  const url = await cluster.createDatabase()
  const index = 'index: { driver: postgres, url: { env: DB } }'
  const cwd = t.testdir({ 'narrowgate.yaml': `ledger: { ${index} }\nstate: ./state\n` })
  mkdirSync(join(cwd, 'state'), { mode: 0o700 })
  writeFileSync(join(cwd, 'state', 'build.key'), 'b7Jq0mX2vT9sLw4eYc8uRk1nZg6hPd3f', {
    mode: 0o600,
  })
  const at = (db: string) => ({ cwd, env: { DB: db } })
  const look = async (db: string) => {
    const opened = await openOffline({ configFile: undefined, state: undefined, ...at(db) })
    if (!opened.ok) throw new Error(opened.problems.join('\n'))
    return checkIndex(opened.offline)
  }
  const away = 'postgres://gate:hunter2hunter2@127.0.0.1:1/none'

  await t.test('doctor says whether the database is there, and changes nothing', async (t) => {
    for (const _ of [1, 2])
      t.match(await look(url), [{ result: 'unproven', seen: /schema 0 of \d/ }])
    const [finding] = await look(away)
    t.match(finding, { result: 'failed', seen: /ECONNREFUSED/ })
    t.notMatch(JSON.stringify(finding), 'hunter2')
  })

  await t.test('without a gateway the commands carry the log over themselves', async (t) => {
    const { log } = await openLog(join(cwd, 'state', 'ledger'))
    await log.refusal({ id: 'r-1', outcome: 'refused', code: 'expired', tool: 'A' })
    await log.close()
    const listed = await run(['ledger', 'query', 'refusals', 'select=id,code', '--json'], at(url))
    t.match(
      JSON.parse(listed.stdout),
      { rows: [{ id: 'r-1', code: 'expired' }], lag: 0 },
      listed.stderr,
    )
    t.match((await run(['ledger', 'show', 'r-1'], at(url))).stdout, '"tool": "A"')
    t.match(await look(url), [{ result: 'ok' }])
  })

  await t.test('a database that is away is said, without its password', async (t) => {
    const { exit, stdout, stderr } = await run(['ledger', 'list'], at(away))
    t.equal(exit, 69)
    t.notMatch(stderr, 'defect')
    t.match(stderr, /ECONNREFUSED/)
    t.notMatch(stdout + stderr, 'hunter2')
  })
}
