import type { OnlyIf } from '../../../adapters/objects/bucket.ts'
import { bytesOf, bytesOfLength, hasBody, textOf, type On } from './store.ts'

const RUNNERS = 20

export function testRaces(on: On): void {
  for (const size of [10, 300_000]) {
    on(`of ${RUNNERS} that create one key with ${size} bytes, one wins`, async (t, open) => {
      const stores = await Promise.all([open(), open()])
      const runners = Array.from({ length: RUNNERS }, (_, at) => bytesOfLength(size, `${at}`))
      const ended = await Promise.all(
        runners.map((bytes, at) =>
          stores[at % 2]!.put('a', bytes, { onlyIf: { etagDoesNotMatch: '*' } }),
        ),
      )
      const winners = ended.flatMap((object, at) => (object === null ? [] : [at]))
      t.equal(winners.length, 1, `won: ${winners.join(', ')}`)
      const found = await stores[0].get('a')
      t.ok(hasBody(found) && (await bytesOf(found.body)).equals(runners[winners[0]!]!))
    })
  }

  on(`${RUNNERS} that compare and swap lose no step`, async (t, open) => {
    const stores = await Promise.all([open(), open()])
    await stores[0].put('count', '0')
    let lost = 0
    const step = async (at: number): Promise<void> => {
      const bucket = stores[at % 2]!
      const found = await bucket.get('count')
      if (!hasBody(found)) throw new Error('the counter is gone')
      const next = Number((await bytesOf(found.body)).toString()) + 1
      const put = await bucket.put('count', `${next}`, { onlyIf: { etagMatches: found.etag } })
      if (put !== null) return
      lost += 1
      return step(at)
    }
    await Promise.all(Array.from({ length: RUNNERS }, (_, at) => step(at)))
    t.equal(await textOf(stores[0], 'count'), `${RUNNERS}`)
    t.ok(lost > 0, `${lost} times somebody else was first`)
  })

  for (const [form, onlyIf] of Object.entries(FORMS)) {
    on(`of ${RUNNERS} that swap the same state, one wins: ${form}`, async (t, open) => {
      const stores = await Promise.all([open(), open()])
      const before = await stores[0].put('a', 'before')
      const ended = await Promise.all(
        Array.from({ length: RUNNERS }, (_, at) =>
          stores[at % 2]!.put('a', `after ${at}`, { onlyIf: onlyIf(before?.etag ?? '') }),
        ),
      )
      const winners = ended.flatMap((object, at) => (object === null ? [] : [at]))
      t.equal(winners.length, 1, `won: ${winners.join(', ')}`)
      t.equal(await textOf(stores[0], 'a'), `after ${winners[0]}`)
    })
  }
}

/** Ways to say that the state must be the one that was seen. */
const FORMS: Readonly<Record<string, (etag: string) => OnlyIf>> = {
  'its etag': (etag) => ({ etagMatches: etag }),
  'its etag among others': (etag) => ({ etagMatches: ['x', etag] }),
  'its etag, and not another': (etag) => ({ etagMatches: etag, etagDoesNotMatch: 'x' }),
}
