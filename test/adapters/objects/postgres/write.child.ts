/** Stores objects until it is killed, and tells of each one that is stored: `key sha256`, a line each. */
import { createIntake } from '../../../../adapters/objects/intake.ts'
import { openPostgresBuckets } from '../../../../adapters/objects/postgres/open.ts'
import { openDatabase } from '../../../../adapters/postgres/database.ts'
import { bytesOfLength } from '../../../conformance/buckets/store.ts'

const [url = '', folder = '', round = ''] = process.argv.slice(2)
const database = await openDatabase({ url, connections: 4, deadlineMs: 10_000 })
let count = 0
const intake = createIntake({ temporary: () => `${folder}/${round}-${(count += 1)}` })
const bucket = openPostgresBuckets({ database, intake }).bucket('a')

async function work(worker: number): Promise<never> {
  for (let at = 0; ; at += 1) {
    const key = `${round}-${worker}-${at}`
    const stored = await bucket.put(key, bytesOfLength(at % 2 === 0 ? 600_000 : 500, key))
    process.stdout.write(`${key} ${stored?.checksums.sha256 ?? ''}\n`)
  }
}

await Promise.all([0, 1, 2, 3].map(work))
