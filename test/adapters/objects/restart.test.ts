import { createHash } from 'node:crypto'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openBodyStore } from '../../../adapters/objects/disk.ts'
import type { BodyStore } from '../../../adapters/objects/port.ts'
import { makeFolder } from '../ledger/rig.ts'

async function keep(store: BodyStore, text: string): Promise<string> {
  const writer = store.writer()
  writer.write(Buffer.from(text))
  return (await writer.finish()).sha256
}

const pathOf = (folder: string, hash: string) => join(folder, hash.slice(0, 2), hash.slice(2))

t.test('a store that is opened again knows its bodies and their age', async (t) => {
  const folder = makeFolder(t)
  const first = await openBodyStore({ folder })
  const [young, old] = [await keep(first, 'young'), await keep(first, 'old')]
  await first.close()
  utimesSync(pathOf(folder, old), 1, 1)

  const second = await openBodyStore({ folder, limitBytes: 10 })
  const erased: string[] = []
  second.onErased((hash) => erased.push(hash))
  t.match(second.stats(), { bodies: 2, bytes: 8 })
  await keep(second, 'third')
  t.same(erased, [old])
  t.ok(await second.read(young))
  await second.close()
})

t.test('what a dead process left half written is cleared away', async (t) => {
  const folder = makeFolder(t)
  await (await openBodyStore({ folder })).close()
  writeFileSync(join(folder, 'new', '1-1'), 'half')
  const store = await openBodyStore({ folder })
  t.same(readdirSync(join(folder, 'new')), [])
  t.equal(store.stats().bodies, 0)
  await store.close()
})

t.test('files and folders are for their owner alone', async (t) => {
  const folder = makeFolder(t)
  const store = await openBodyStore({ folder })
  const small = await keep(store, 'small')
  const large = await keep(store, 'large'.repeat(100_000))
  for (const hash of [small, large]) {
    t.equal(statSync(pathOf(folder, hash)).mode & 0o777, 0o600)
    t.equal(statSync(join(folder, hash.slice(0, 2))).mode & 0o777, 0o700)
  }
  await store.close()
})

t.test('a body that a power cut left wrong is not shown', async (t) => {
  const folder = makeFolder(t)
  const store = await openBodyStore({ folder })
  const hash = await keep(store, 'evidence')
  writeFileSync(pathOf(folder, hash), 'evidenc\0')
  t.equal(await store.read(hash), undefined)
  await keep(store, 'evidence')
  t.equal(
    createHash('sha256')
      .update(((await store.read(hash))?.read() as Buffer) ?? '')
      .digest('hex'),
    hash,
  )
  await store.close()
})

t.test('a body that is known costs no second file', async (t) => {
  const folder = makeFolder(t)
  const store = await openBodyStore({ folder })
  const hash = await keep(store, 'again')
  const { mtimeMs, ino } = statSync(pathOf(folder, hash))
  await keep(store, 'again')
  t.match(statSync(pathOf(folder, hash)), { mtimeMs, ino })
  await store.close()
})
