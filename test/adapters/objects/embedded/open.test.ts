import Database from 'better-sqlite3'
import t from 'tap'
import { textOf } from '../../../conformance/buckets/store.ts'
import { makePlace } from './rig.ts'

await t.test('what was stored is there after another start, bucket by bucket', async (t) => {
  const { open } = await makePlace(t)
  const first = await open()
  await first.bucket('one').put('a', '1')
  await first.bucket('two').put('a', '2')
  await first.close()
  await t.rejects(first.bucket('one').head('a'), { code: 'Unavailable', message: /closed/ })
  const again = await open()
  t.equal(await textOf(again.bucket('one'), 'a'), '1')
  t.equal(await textOf(again.bucket('two'), 'a'), '2')
  t.same((await again.bucket('three').list()).objects, [])
})

await t.test('a file of a newer version is refused', async (t) => {
  const { file, open } = await makePlace(t)
  await (await open()).close()
  const db = new Database(file)
  db.pragma('user_version = 99')
  db.close()
  await t.rejects(open(), { code: 'Unavailable', message: /schema `99`; start a newer gateway/ })
})

await t.test('a listing of 47,000 objects of 32 KB reads 16 MiB of bodies', async (t) => {
  const { file, open } = await makePlace(t)
  const bucket = (await open()).bucket('a')
  const count = 47_000
  const size = 32 * 1024
  // Only those bodies are there at all that may be read: any other would come out as nothing.
  const bodied = 512
  const db = new Database(file)
  db.transaction(() => {
    const add = db.prepare(
      `INSERT INTO objects VALUES (?, 'a', ?, 'v', ${size}, 'e', 1, '{}', '{}', '{}', NULL)`,
    )
    const put = db.prepare(`INSERT INTO bodies VALUES (?, zeroblob(${size}))`)
    for (let at = 1; at <= count; at += 1) {
      add.run(at, Buffer.from(`k${String(at).padStart(5, '0')}`))
      if (at <= bodied) put.run(at)
    }
  })()
  db.close()
  let [listed, bytes] = [0, 0]
  let cursor: string | undefined
  do {
    const page = await bucket.list({
      include: ['body'],
      ...(cursor === undefined ? {} : { cursor }),
    })
    listed += page.objects.length
    bytes += page.objects.reduce((sum, object) => sum + (object.bytes?.length ?? 0), 0)
    t.ok(page.objects.every((object) => object.bytes === undefined || object.bytes.length === size))
    cursor = page.cursor
  } while (cursor !== undefined)
  t.same([listed, bytes], [count, bodied * size])
})
