/** Fills a small disk with records, sees them refused, makes room, and prints what happened as JSON. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSegmentLog } from '../../../adapters/ledger/segment/log.ts'
import { verifySegments } from '../../../adapters/ledger/verify.ts'
import { openBodyStore } from '../../../adapters/objects/disk.ts'

const disk = process.argv[2] ?? ''
const folder = join(disk, 'log')
const ballast = join(disk, 'ballast')
const alarms: string[] = []
writeFileSync(ballast, Buffer.alloc(600_000))
const store = await openBodyStore({ folder: join(disk, 'bodies') })
const log = await openSegmentLog({
  folder,
  mode: 'strict',
  clock: Date,
  onAlarm: ({ kind }) => void alarms.push(kind),
})

let records = 0
let refused: { code: unknown; ms: number } | undefined
while (refused === undefined) {
  const began = performance.now()
  try {
    await log.refusal({ id: `r-${records}`, pad: 'x'.repeat(3000) })
    records += 1
  } catch (error) {
    refused = { code: (error as { code?: unknown }).code, ms: performance.now() - began }
  }
}
await sleep(2100)
const later = performance.now()
const again = await log.refusal({ pad: 'x'.repeat(3000) }).then(
  () => 'kept',
  () => 'refused',
)
const laterMs = performance.now() - later
const writer = store.writer()
for (let at = 0; at < 20; at += 1)
  if (!writer.write(Buffer.alloc(65_536, at))) await writer.drained()
const body = await writer.finish()
const readyWhileFull = log.ready()

rmSync(ballast)
while (!log.ready().ok) await sleep(20)
await log.refusal({ id: 'after', pad: 'x'.repeat(3000) })
const head = log.head()
await log.close()
const verified = await verifySegments(folder, { heads: [head] })
console.log(
  JSON.stringify({
    records,
    refused,
    again,
    laterMs,
    body,
    readyWhileFull,
    alarms,
    n: head.n,
    verdict: verified.verdict,
  }),
)
