import Database from 'better-sqlite3'
import t from 'tap'
import { MANY, testBudget } from '../../../conformance/buckets/budget.ts'
import { textOf } from '../../../conformance/buckets/store.ts'
import { makePlace } from './rig.ts'

await t.test('what was stored is there after another start, bucket by bucket', async (t) => {
  const { open } = await makePlace(t)
  const first = await open()
  await first.bucket('one').put('a', '1')
  await first.bucket('two').put('a', '2')
  await first.close()
  await t.rejects(first.bucket('one').head('a'), { code: 'InternalError', message: /closed/ })
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
  await t.rejects(open(), { code: 'InternalError', message: /schema `99`; start a newer gateway/ })
})

await t.test('a listing of 47,000 objects of 32 KB reads 16 MiB of bodies', async (t) => {
  const { file, open } = await makePlace(t)
  const bucket = (await open()).bucket('a')
  const db = new Database(file)
  db.transaction(() => {
    const add = db.prepare(
      `INSERT INTO objects VALUES (?, 'a', ?, 'v', ${MANY.bytes}, 'e', 1, '{}', '{}', '{}', NULL)`,
    )
    const put = db.prepare(`INSERT INTO bodies VALUES (?, zeroblob(${MANY.bytes}))`)
    for (let at = 1; at <= MANY.count; at += 1) {
      add.run(at, Buffer.from(`k${String(at).padStart(5, '0')}`))
      if (at <= MANY.fit) put.run(at)
    }
  })()
  db.close()
  await testBudget(t, bucket)
})
