/** Runs races in an embedded store that others have open as well: a race a line comes in, `[key, ...]` of those it won goes out. */
import { createInterface } from 'node:readline'
import type { OnlyIf } from '../../../../adapters/objects/bucket.ts'
import { openEmbeddedBuckets } from '../../../../adapters/objects/embedded/open.ts'
import { createIntake } from '../../../../adapters/objects/intake.ts'
import { bytesOfLength } from '../../../conformance/buckets/store.ts'

/** So many runners of this process put one key at one time. */
export interface Race {
  readonly key: string
  readonly bytes: number
  readonly runners: readonly string[]
  readonly onlyIf: OnlyIf
  /** When all processes begin, in milliseconds since the epoch. */
  readonly at: number
}

const [file = '', folder = ''] = process.argv.slice(2)
let count = 0
// The folder is made, and emptied, by one process alone.
const temporary = () => `${folder}/new/${process.pid}-${(count += 1)}`
const buckets = await openEmbeddedBuckets({ file, folder, intake: createIntake({ temporary }) })
const bucket = buckets.bucket('a')
process.stdout.write('ready\n')

for await (const line of createInterface(process.stdin)) {
  const { key, bytes, runners, onlyIf, at } = JSON.parse(line) as Race
  while (Date.now() < at) continue
  const ended = await Promise.all(
    runners.map((runner) => bucket.put(key, bytesOfLength(bytes, runner), { onlyIf })),
  )
  const won = runners.filter((_, n) => ended[n] !== null)
  process.stdout.write(`${JSON.stringify(won)}\n`)
}
await buckets.close()
