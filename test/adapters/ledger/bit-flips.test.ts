import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { verifySegments } from '../../../adapters/ledger/verify.ts'
import { makeFolder, openLog, RUNS, segmentFiles, writeSmallLog } from './rig.ts'

t.test('the verifier sees every flipped bit', async (t) => {
  const folder = makeFolder(t)
  await writeSmallLog(folder)
  const file = segmentFiles(folder)[0] ?? ''
  const whole = readFileSync(file)
  const stride = Math.max(1, Math.round(1 / RUNS))
  const unseen: string[] = []
  for (let bit = 0; bit < whole.length * 8; bit += stride) {
    writeFileSync(file, flipped(whole, bit))
    const { verdict } = await verifySegments([file])
    if (verdict === 'ok') unseen.push(nameOf(bit))
  }
  t.same(unseen, [], `of ${whole.length * 8} bits`)
})

t.test('an opening log sees them too, and leaves a damaged file as it is', async (t) => {
  const folder = makeFolder(t)
  await writeSmallLog(folder)
  const file = segmentFiles(folder)[0] ?? ''
  const whole = readFileSync(file)
  const stride = Math.max(1, Math.round(101 / RUNS))
  const unseen: object[] = []
  for (let bit = 0; bit < (whole.length - 1) * 8; bit += stride) {
    const apart = makeFolder(t)
    await writeSmallLog(apart)
    const copy = segmentFiles(apart)[0] ?? ''
    const harmed = flipped(readFileSync(copy), bit)
    writeFileSync(copy, harmed)
    const { log, alarms } = await openLog(apart)
    await log.close()
    const named = alarms.some((alarm) => alarm.kind === 'damage' && alarm.file === copy)
    if (!named || !readFileSync(copy).equals(harmed)) unseen.push({ bit: nameOf(bit), alarms })
  }
  t.same(unseen, [])
})

function nameOf(bit: number): string {
  return `bit ${bit % 8} of byte ${bit >> 3}`
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}
