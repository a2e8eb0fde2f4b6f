import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkGrants } from '../../cli/doctor/grants.ts'
import { startGateway } from '../../gateway/main.ts'
import { openOffline } from '../../gateway/offline.ts'
import { startCluster } from '../helpers/postgres.ts'
import { run } from './in-process.ts'

const KEY = 'b7Jq0mX2vT9sLw4eYc8uRk1nZg6hPd3f'

const cluster = await startCluster(t)
if (cluster !== undefined) {
  const url = await cluster.createDatabase()
  const cwd = t.testdir({
    'narrowgate.yaml': 'grants: { driver: postgres, url: { env: DB } }\nstate: ./state\n',
  })
  mkdirSync(join(cwd, 'state'), { mode: 0o700 })
  writeFileSync(join(cwd, 'state', 'build.key'), KEY, { mode: 0o600 })
  const at = (db: string) => ({ cwd, env: { DB: db } })
  const look = async (db: string) => {
    const opened = await openOffline({ configFile: undefined, state: undefined, ...at(db) })
    if (!opened.ok) throw new Error(opened.problems.join('\n'))
    return checkGrants(opened.offline)
  }

  await t.test('doctor says whether the database is there, and changes nothing', async (t) => {
    t.match(await look(url), [{ result: 'unproven', seen: /PostgreSQL \d.*, schema 0 of \d/ }])
    t.match(await look(url), [{ result: 'unproven' }], 'it made nothing')
    const secret = 'postgres://gate:hunter2hunter2@127.0.0.1:1/none'
    const [finding] = await look(secret)
    t.match(finding, { result: 'failed', seen: /ECONNREFUSED/ })
    t.notMatch(JSON.stringify(finding), 'hunter2')
  })

  await t.test('a gateway does not start without its database, and says so', async (t) => {
    const db = 'postgres://gate:hunter2hunter2@127.0.0.1:1/none'
    const start = startGateway({ cwd, env: { DB: db }, log: 'silent' })
    const said = await start.then(
      () => 'it started',
      (error: unknown) => String(error),
    )
    t.match(said, /database `none` at 127\.0\.0\.1:1: .*ECONNREFUSED/)
    t.notMatch(said, 'hunter2')
  })

  await t.test('the commands work on the database', async (t) => {
    const minted = await run(
      ['grant', 'mint', '--tools', 'HTTP_GET', '--uses', '2', '--id', 'g_shared'],
      at(url),
    )
    t.equal(minted.exit, 0, minted.stderr)
    const token = minted.stdout.trim()
    const again = await run(['grant', 'mint', '--tools', 'A', '--id', 'g_shared'], at(url))
    t.match(again.stderr, /the id `g_shared` is known/)
    const listed = await run(['grant', 'list', '--json'], at(url))
    t.match(JSON.parse(listed.stdout), [{ id: 'g_shared', by: 'grant mint' }])
    const show = async () => run(['grant', 'show', '-', '--json'], { ...at(url), input: token })
    t.match(JSON.parse((await show()).stdout), { verified: true, uses: [{ limit: 2, used: 0 }] })
    t.equal((await run(['grant', 'revoke', 'g_shared'], at(url))).exit, 0)
    const shown = await show()
    t.equal(shown.exit, 1)
    t.match(JSON.parse(shown.stdout), { revoked: 'g_shared' })
    t.match(await look(url), [{ result: 'ok', seen: /schema (\d) of \1/ }])
  })
}
