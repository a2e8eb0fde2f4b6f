import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { bytesOf, digest, hasBody } from '../../../conformance/buckets/store.ts'
import { eventually } from '../../../helpers/eventually.ts'
import { startCluster } from '../../../helpers/postgres.ts'
import { openBuckets } from './rig.ts'

const ROUNDS = 2
const CHILD = fileURLToPath(new URL('./write.child.ts', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'ng-pg-kill-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

/** Lets a process store objects, kills it in the midst of it, and gives what it was told of. */
async function killed(url: string, round: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [...process.execArgv, CHILD, url, folder, `${round}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  await eventually(() => text.split('\n').length > 8 + round * 4, 30_000)
  child.kill('SIGKILL')
  await once(child, 'close')
  return text.split('\n').slice(0, -1)
}

const cluster = await startCluster(t)
if (cluster !== undefined) {
  await t.test(
    'what was acknowledged outlives kill -9, and no body stays without a row',
    async (t) => {
      const url = await cluster.createDatabase()
      const bucket = (await openBuckets(t, url, { sweepMs: 3_600_000 })).bucket('a')
      const told: string[] = []
      for (let round = 0; round < ROUNDS; round += 1) told.push(...(await killed(url, round)))
      for (const line of told) {
        const [key = '', sha256 = ''] = line.split(' ')
        const found = await bucket.get(key)
        const right = hasBody(found) && digest('sha256', await bytesOf(found.body)) === sha256
        if (!right) t.fail(`${key} is not what was stored`)
      }
      t.ok(told.length > 15, `${told.length} objects were told of`)
      const orphans = async () => {
        const [row] = await cluster.run(
          url,
          `SELECT count(*)::int AS n FROM narrowgate.blobs b
         WHERE NOT EXISTS (SELECT FROM narrowgate.objects o WHERE o.blob = b.sha256)`,
        )
        return Number(row?.['n'])
      }
      const left = await orphans()
      const swept = async () => {
        await cluster.run(url, 'SELECT narrowgate.sweep_blobs(0, 1000)')
        return (await orphans()) === 0
      }
      t.ok(await eventually(swept), `${left} were on their way when their process died`)
      const [torn] = await cluster.run(
        url,
        `SELECT count(*)::int AS n FROM narrowgate.objects o JOIN narrowgate.blobs b ON b.sha256 = o.blob
       WHERE b.pieces <> (SELECT count(*) FROM narrowgate.blob_pieces p WHERE p.sha256 = b.sha256)`,
      )
      t.equal(torn?.['n'], 0, 'each row has all of its body')
    },
  )
}
