import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import type { Test } from 'tap'
import type { Bucket } from '../../../adapters/objects/bucket.ts'
import { hasBody } from '../../conformance/buckets/store.ts'
import { startCluster } from '../../helpers/postgres.ts'
import { startR2 } from '../../helpers/r2.ts'
import { makePlace } from './embedded/rig.ts'
import { openBuckets } from './postgres/rig.ts'
import { openBucket } from './s3/rig.ts'

const MIB = 1024 ** 2
/** What buffers of streams, sockets and statements may hold at one time. */
const MOST = 80 * MIB

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void
/** Twice: buffers of the first time are swept away in the second. */
const collect = () => {
  gc()
  gc()
}

/** The most memory of buffers that work takes, above what was there before. */
async function peakOf(work: () => Promise<void>): Promise<number> {
  const held = () => process.memoryUsage().arrayBuffers - before
  collect()
  const before = process.memoryUsage().arrayBuffers
  let peak = 0
  let last = 0
  const timer = setInterval(() => {
    // Collecting takes its time: only what looks like too much is looked at twice.
    if (held() > MOST) collect()
    // What is swept is given back a little later, by another thread: what counts is what stays.
    const now = held()
    peak = Math.max(peak, Math.min(now, last))
    last = now
  }, 20)
  await work()
  clearInterval(timer)
  return peak
}

/** A stream of so many MiB, of which no two are the same. */
function* large(mib: number): Generator<Buffer> {
  const block = randomBytes(MIB)
  for (let at = 0; at < mib; at += 1) {
    block.writeUInt32BE(at)
    yield Buffer.from(block)
  }
}

async function streams(t: Test, bucket: Bucket, mib: number): Promise<void> {
  const stored = await peakOf(async () => void (await bucket.put('a', Readable.from(large(mib)))))
  t.ok(stored < MOST, `in: ${Math.round(stored / MIB)} MiB at most, of ${mib}`)
  let bytes = 0
  const read = await peakOf(async () => {
    const found = await bucket.get('a')
    if (!hasBody(found)) return
    for await (const piece of found.body) bytes += (piece as Buffer).length
  })
  t.equal(bytes, mib * MIB)
  t.ok(read < MOST, `out: ${Math.round(read / MIB)} MiB at most`)
}

await t.test('embedded streams both ways in constant memory', async (t) => {
  await streams(t, (await (await makePlace(t)).open()).bucket('a'), 160)
})

await t.test('postgres streams both ways in constant memory', async (t) => {
  const cluster = await startCluster(t)
  if (cluster === undefined) return
  await streams(t, (await openBuckets(t, await cluster.createDatabase())).bucket('a'), 128)
})

await t.test('s3 streams both ways in constant memory', async (t) => {
  const r2 = await startR2(t, 1)
  if (r2 === undefined) return
  await streams(t, openBucket(t, r2.s3, r2.freshBucket()), 128)
})
