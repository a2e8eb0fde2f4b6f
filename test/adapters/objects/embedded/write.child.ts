/** Stores objects until it is killed, and tells of each one that is stored: `key sha256`, a line each. */
import { openEmbeddedBuckets } from '../../../../adapters/objects/embedded/open.ts'
import { openBodyFolder } from '../../../../adapters/objects/folder.ts'
import { createIntake } from '../../../../adapters/objects/intake.ts'
import { bytesOfLength } from '../../../conformance/buckets/store.ts'

const [file = '', folder = '', round = ''] = process.argv.slice(2)
const { temporary } = await openBodyFolder(folder)
const buckets = await openEmbeddedBuckets({ file, folder, intake: createIntake({ temporary }) })
const bucket = buckets.bucket('a')

async function work(worker: number): Promise<never> {
  for (let at = 0; ; at += 1) {
    const key = `${round}-${worker}-${at}`
    const stored = await bucket.put(key, bytesOfLength(at % 2 === 0 ? 300_000 : 500, key))
    process.stdout.write(`${key} ${stored?.checksums.sha256 ?? ''}\n`)
    if (at % 3 === 2) {
      process.stdout.write(`-${round}-${worker}-${at - 2}\n`)
      await bucket.delete(`${round}-${worker}-${at - 2}`)
    }
  }
}

await Promise.all([0, 1, 2, 3].map(work))
