import type { ObjectRange, OnlyIf, StoredObject } from '../../../adapters/objects/bucket.ts'
import { holds } from '../../../adapters/objects/rules/condition.ts'
import { bytesOf, bytesOfLength, hasBody, textOf, type On } from './store.ts'

const HOUR = 3_600_000

export function testConditions(on: On): void {
  on('a get gives the bytes where its condition holds, and else the rest', async (t, open) => {
    const bucket = await open()
    const object = await bucket.put('a', 'bytes')
    for (const onlyIf of conditionsOn(object)) {
      const found = await bucket.get('a', { onlyIf })
      const text = JSON.stringify(onlyIf)
      t.equal(hasBody(found), holds(onlyIf, object ?? undefined), text)
      if (hasBody(found)) t.equal((await bytesOf(found.body)).toString(), 'bytes')
      else t.strictSame(found, object, text)
      t.equal(await bucket.get('none', { onlyIf }), null, text)
    }
  })

  on('a put writes where its condition holds, and else answers null', async (t, open) => {
    const bucket = await open()
    for (const at of conditionsOn(null).keys()) {
      const object = await bucket.put('a', 'bytes')
      // Of this very state, or no time would ever be the same.
      const onlyIf = conditionsOn(object)[at] ?? {}
      const text = JSON.stringify(onlyIf)
      const stored = await bucket.put('a', `next ${at}`, { onlyIf })
      t.equal(stored !== null, holds(onlyIf, object ?? undefined), text)
      t.equal(await textOf(bucket, 'a'), stored === null ? 'bytes' : `next ${at}`, text)
      const made = await bucket.put(`new ${at}`, 'new', { onlyIf })
      t.equal(made !== null, holds(onlyIf, undefined), `${text} without an object`)
      t.equal(await textOf(bucket, `new ${at}`), made === null ? undefined : 'new')
    }
  })

  on('a large object that is refused leaves what was there', async (t, open) => {
    const bucket = await open()
    const large = bytesOfLength(300_000)
    await bucket.put('a', large)
    t.equal(
      await bucket.put('a', bytesOfLength(300_000, 'b'), { onlyIf: { etagDoesNotMatch: '*' } }),
      null,
    )
    const found = await bucket.get('a')
    t.ok(hasBody(found) && (await bytesOf(found.body)).equals(large))
  })

  for (const size of [100, 300_000]) {
    on(`of an object of ${size} bytes the range that was asked for comes`, async (t, open) => {
      const bucket = await open()
      const bytes = bytesOfLength(size)
      await bucket.put('a', bytes)
      const ranges: readonly [ObjectRange, number, number][] = [
        [{ offset: 0, length: 10 }, 0, 10],
        [{ offset: 7 }, 7, size],
        [{ length: 3 }, 0, 3],
        [{ suffix: 5 }, size - 5, size],
        [{ suffix: size * 2 }, 0, size],
        [{ offset: size - 1, length: 99 }, size - 1, size],
      ]
      for (const [range, from, to] of ranges) {
        const found = await bucket.get('a', { range })
        t.strictSame(found?.range, { offset: from, length: to - from }, JSON.stringify(range))
        t.equal(found?.size, size)
        t.ok(hasBody(found) && (await bytesOf(found.body)).equals(bytes.subarray(from, to)))
      }
      for (const range of [{ offset: size }, { offset: size + 9, length: 1 }, { suffix: 0 }])
        await t.rejects(bucket.get('a', { range }), { code: 'InvalidRange' })
    })
  }

  on('an empty object has no range', async (t, open) => {
    const bucket = await open()
    await bucket.put('a', '')
    for (const range of [{ offset: 0 }, { length: 1 }, { suffix: 1 }])
      await t.rejects(bucket.get('a', { range }), { code: 'InvalidRange' })
  })

  on('where the condition does not hold the range is not looked at', async (t, open) => {
    const bucket = await open()
    await bucket.put('a', 'bytes')
    const found = await bucket.get('a', { onlyIf: { etagMatches: 'x' }, range: { offset: 99 } })
    t.equal(hasBody(found), false)
    t.equal(found?.size, 5)
  })
}

/** Conditions of every kind, with times at, before and behind the object's. */
function conditionsOn(object: StoredObject | null): readonly OnlyIf[] {
  const { etag = '', uploaded = 0 } = object ?? {}
  const times = [uploaded - HOUR, uploaded, uploaded + HOUR]
  return [
    {},
    ...[etag, '*', 'x', ['x', etag], ['x', 'y']].flatMap((etags) => [
      { etagMatches: etags },
      { etagDoesNotMatch: etags },
      { etagMatches: etags, uploadedBefore: uploaded - HOUR },
      { etagDoesNotMatch: etags, uploadedAfter: uploaded + HOUR },
    ]),
    ...times.flatMap((time) => [
      { uploadedBefore: time },
      { uploadedAfter: time },
      { uploadedBefore: time, secondsGranularity: true },
      { uploadedAfter: time, secondsGranularity: true },
    ]),
    { etagMatches: etag, etagDoesNotMatch: 'x' },
    { etagMatches: etag, etagDoesNotMatch: '*' },
  ]
}
