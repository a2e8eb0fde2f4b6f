import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Bucket } from '../../../../adapters/objects/bucket.ts'
import { bytesOf, digest, hasBody } from '../../../conformance/buckets/store.ts'
import { eventually } from '../../../helpers/eventually.ts'
import { makePlace } from './rig.ts'

const ROUNDS = 2
const CHILD = fileURLToPath(new URL('./write.child.ts', import.meta.url))

/** Lets a process store objects, kills it in the midst of it, and gives what it was told of. */
async function killed(file: string, folder: string, round: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [...process.execArgv, CHILD, file, folder, `${round}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  await eventually(() => text.split('\n').length > 10 + round * 7, 30_000)
  child.kill('SIGKILL')
  await once(child, 'close')
  return text.split('\n').slice(0, -1)
}

await t.test(
  'what was acknowledged outlives kill -9, and no file is left without a row',
  async (t) => {
    const { file, folder, open } = await makePlace(t)
    const kept = new Map<string, string>()
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const line of await killed(file, folder, round)) {
        const [key = '', sha256 = ''] = line.split(' ')
        if (key.startsWith('-')) kept.delete(key.slice(1))
        else kept.set(key, sha256)
      }
      const buckets = await open()
      const bucket = buckets.bucket('a')
      for (const [key, sha256] of kept) {
        const found = await bucket.get(key)
        const right = hasBody(found) && digest('sha256', await bytesOf(found.body)) === sha256
        if (!right) t.fail(`${key} is not what was stored`)
      }
      const large = await largeBlobs(bucket)
      const files = () =>
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('/new'))
          .map(({ parentPath, name }) => parentPath.slice(-2) + name)
      await eventually(() => files().length <= large.size)
      t.same(new Set(files()), large, `round ${round}: ${kept.size} objects`)
      await buckets.close()
    }
    t.ok(kept.size > 10, `${kept.size} objects in all`)
  },
)

/** Hashes of all larger bodies that rows name. */
async function largeBlobs(bucket: Bucket): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await bucket.list(cursor === undefined ? {} : { cursor })
    for (const { size, checksums } of page.objects)
      if (size > 256 * 1024) found.add(checksums.sha256 ?? '')
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}
