import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Test } from 'tap'
import type { OnlyIf } from '../../../../adapters/objects/bucket.ts'
import { bytesOf, bytesOfLength, hasBody } from '../../../conformance/buckets/store.ts'
import type { Race } from './race.child.ts'
import { makePlace, type Place } from './rig.ts'

const CHILD = fileURLToPath(new URL('./race.child.ts', import.meta.url))
const PROCESSES = 4
const RUNNERS = 5
const ROUNDS = 3
/** Until then a race has come to all. */
const START_MS = 20

interface Racer {
  /** Sends a race and gives who of the runners won in this process. */
  run(race: Race): Promise<readonly string[]>
}

async function startRacer(t: Test, { file, folder }: Place): Promise<Racer> {
  const child = spawn(process.execPath, [...process.execArgv, CHILD, file, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill())
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  await lines.next()
  return {
    async run(race) {
      child.stdin.write(`${JSON.stringify(race)}\n`)
      return JSON.parse((await lines.next()).value as string) as readonly string[]
    },
  }
}

const place = await makePlace(t)
const bucket = (await place.open()).bucket('a')
const racers = await Promise.all(Array.from({ length: PROCESSES }, () => startRacer(t, place)))

/** Races in all processes at one time; the object is what the one winner stored. */
async function race(t: Test, key: string, bytes: number, onlyIf: OnlyIf): Promise<void> {
  const start = Date.now() + START_MS
  const won = await Promise.all(
    racers.map((racer, at) => {
      const runners = Array.from({ length: RUNNERS }, (_, n) => `${key} ${at} ${n}`)
      return racer.run({ key, bytes, runners, onlyIf, at: start })
    }),
  )
  const winners = won.flat()
  t.equal(winners.length, 1, `${key}: ${winners.join(', ')}`)
  const found = await bucket.get(key)
  t.ok(hasBody(found) && (await bytesOf(found.body)).equals(bytesOfLength(bytes, winners[0])))
}

for (const bytes of [10, 300_000]) {
  await t.test(`of 20 in 4 processes that create with ${bytes} bytes one wins`, async (t) => {
    for (let round = 0; round < ROUNDS; round += 1)
      await race(t, `create ${bytes} ${round}`, bytes, { etagDoesNotMatch: '*' })
  })

  await t.test(`of 20 in 4 processes that swap with ${bytes} bytes one wins`, async (t) => {
    const key = `swap ${bytes}`
    await bucket.put(key, 'before')
    for (let round = 0; round < ROUNDS; round += 1) {
      const { etag = '' } = (await bucket.head(key)) ?? {}
      // Other bytes each time, or the next state would have the etag of this one.
      await race(t, key, bytes + round, { etagMatches: etag })
    }
  })
}
