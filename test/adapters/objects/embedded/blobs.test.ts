import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import t from 'tap'
import type { Bucket } from '../../../../adapters/objects/bucket.ts'
import { createBlobs, type Blobs } from '../../../../adapters/objects/embedded/blobs.ts'
import { createReader } from '../../../../adapters/objects/embedded/reading.ts'
import { openObjectsFile } from '../../../../adapters/objects/embedded/schema.ts'
import { createWriter } from '../../../../adapters/objects/embedded/writing.ts'
import { blobPath } from '../../../../adapters/objects/folder.ts'
import { bytesOf, bytesOfLength, digest, hasBody } from '../../../conformance/buckets/store.ts'
import { eventually } from '../../../helpers/eventually.ts'
import { makePlace } from './rig.ts'

const LARGE = 256 * 1024 + 1

/** The names of the files that hold bodies. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

await t.test(
  'the same bytes lie once, over keys and buckets, until nobody needs them',
  async (t) => {
    const { folder, open } = await makePlace(t)
    const buckets = await open()
    const [one, two] = [buckets.bucket('one'), buckets.bucket('two')]
    const bytes = bytesOfLength(LARGE)
    await Promise.all(['a', 'b', 'c'].flatMap((key) => [one.put(key, bytes), two.put(key, bytes)]))
    t.same(filesIn(folder), [blobPath(folder, digest('sha256', bytes))])
    await one.delete(['a', 'b', 'c'])
    await two.put('a', 'small')
    await two.put('b', bytesOfLength(LARGE, 'other'))
    t.ok(await eventually(() => filesIn(folder).length === 2))
    const found = await two.get('c')
    t.ok(hasBody(found) && (await bytesOf(found.body)).equals(bytes))
    await two.delete(['b', 'c'])
    t.ok(await eventually(() => filesIn(folder).length === 0), 'no file without a row')
  },
)

await t.test('what the last row replaces is removed', async (t) => {
  const { folder, open } = await makePlace(t)
  const bucket = (await open()).bucket('a')
  for (const next of [bytesOfLength(LARGE, 'next'), Buffer.from('small')]) {
    const before = bytesOfLength(LARGE, 'before')
    await bucket.put('a', before)
    await bucket.put('a', next)
    const gone = () => !filesIn(folder).includes(blobPath(folder, digest('sha256', before)))
    t.ok(await eventually(gone, 3000))
  }
})

await t.test('a file whose row fails after it was placed is found', async (t) => {
  const { file, folder } = await makePlace(t)
  const db = openObjectsFile(file)
  const blobs = createBlobs(db, (blob) => blobPath(folder, blob))
  const crashing: Blobs = {
    ...blobs,
    place(from, blob) {
      blobs.place(from, blob)
      throw new Error('crash')
    },
  }
  const [sha256, from] = [digest('sha256', Buffer.from('x')), join(folder, 'new', 'x')]
  writeFileSync(from, 'x')
  const facts = {
    key: 'a',
    version: 'v',
    size: LARGE,
    etag: 'e',
    uploaded: 0,
    checksums: { sha256 },
    httpMetadata: {},
    customMetadata: {},
  }
  const call = {
    name: 'put',
    bucket: 'a',
    facts,
    place: { file: from },
    onlyIf: undefined,
  } as const
  t.throws(() => createWriter(db, crashing).put(call), { message: 'crash' })
  t.same(filesIn(folder), [blobPath(folder, sha256)], 'it was placed')
  t.equal(createReader(db).head('a', 'a'), null, 'and has no row')
  blobs.collect()
  t.same(filesIn(folder), [])
  db.close()
})

await t.test('small bodies lie in the database, and no file is written for them', async (t) => {
  const { folder, open } = await makePlace(t)
  const bucket = (await open()).bucket('a')
  await bucket.put('a', bytesOfLength(LARGE - 1))
  t.same(filesIn(folder), [])
  await bucket.put('a', bytesOfLength(LARGE))
  t.equal(filesIn(folder).length, 1)
})

await t.test(
  'who writes and who removes the same bytes never leave a row without them',
  async (t) => {
    const { file, folder, open } = await makePlace(t)
    const opened = await Promise.all([open(), open()])
    const bytes = bytesOfLength(LARGE)
    const work = async (bucket: Bucket, key: string) => {
      for (let round = 0; round < 12; round += 1) {
        await bucket.put(key, bytes)
        const found = await bucket.get(key)
        t.ok(hasBody(found) && (await bytesOf(found.body)).equals(bytes), `${key} ${round}`)
        await bucket.delete(key)
      }
    }
    await Promise.all(['a', 'b', 'c', 'd'].map((key, at) => work(opened[at % 2]!.bucket('x'), key)))
    t.ok(await eventually(() => filesIn(folder).length === 0))
    const db = new Database(file, { readonly: true })
    const suspects = db.prepare('SELECT count(*) FROM garbage').pluck()
    // A file goes a moment before it is forgotten.
    t.ok(await eventually(() => suspects.get() === 0))
    db.close()
  },
)

await t.test('a file whose row was never committed is removed at the next start', async (t) => {
  const { file, folder, open } = await makePlace(t)
  const first = await open()
  const bytes = bytesOfLength(LARGE)
  await first.bucket('a').put('a', bytes)
  await first.close()
  // As a crash leaves it: the file has its name, and of the row there is no trace but the suspicion.
  const db = new Database(file)
  db.exec(`INSERT OR IGNORE INTO garbage SELECT blob FROM objects; DELETE FROM objects`)
  db.close()
  t.equal(filesIn(folder).length, 1)
  await open()
  t.ok(await eventually(() => filesIn(folder).length === 0))
})

await t.test('bytes that are missing are told, and nothing else suffers', async (t) => {
  const { folder, open } = await makePlace(t)
  const bucket = (await open()).bucket('a')
  const bytes = bytesOfLength(LARGE)
  await bucket.put('a', bytes)
  rmSync(blobPath(folder, digest('sha256', bytes)))
  await t.rejects(bucket.get('a'), {
    code: 'InternalError',
    message: /bytes of an object are missing/,
  })
  t.ok(await bucket.head('a'))
  await bucket.put('b', bytes)
  const healed = await bucket.get('a')
  t.ok(hasBody(healed) && (await bytesOf(healed.body)).equals(bytes), 'the same bytes heal it')
})
