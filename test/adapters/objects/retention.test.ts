import { existsSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openBodyStore } from '../../../adapters/objects/disk.ts'
import type { BodyStore } from '../../../adapters/objects/port.ts'
import { makeFolder } from '../ledger/rig.ts'

const DAY = 86_400_000

async function keep(store: BodyStore, text: string): Promise<string> {
  const writer = store.writer()
  writer.write(Buffer.from(text))
  return (await writer.finish()).sha256
}

const pathOf = (folder: string, hash: string) => join(folder, hash.slice(0, 2), hash.slice(2))

/** A store with bodies that were used last so many days ago. */
async function storeOf(folder: string, ages: Readonly<Record<string, number>>) {
  const first = await openBodyStore({ folder })
  const hashes: Record<string, string> = {}
  for (const [text, days] of Object.entries(ages)) {
    const hash = await keep(first, text)
    const then = (Date.now() - days * DAY) / 1000
    utimesSync(pathOf(folder, hash), then, then)
    hashes[text] = hash
  }
  await first.close()
  return { store: await openBodyStore({ folder }), hashes }
}

t.test('what is older is erased, each body recorded before', async (t) => {
  const folder = makeFolder(t)
  const { store, hashes } = await storeOf(folder, { ancient: 90, old: 40, young: 10 })
  const recorded: string[] = []
  const done = await store.eraseOlder(Date.now() - 30 * DAY, async ({ sha256 }) => {
    t.ok(existsSync(pathOf(folder, sha256)), 'it is still there when it is recorded')
    recorded.push(sha256)
  })
  t.same(recorded, [hashes['ancient'], hashes['old']])
  t.same(done, { bodies: 2, bytes: 10 })
  t.equal(await store.read(hashes['old'] ?? ''), undefined)
  t.ok(await store.read(hashes['young'] ?? ''))
  t.match(store.stats(), { bodies: 1, bytes: 5 })
  t.same(await store.eraseOlder(Date.now() - 30 * DAY, async () => undefined), {
    bodies: 0,
    bytes: 0,
  })
  await store.close()
})

t.test('a body that an exchange had again is as young as that, after a restart too', async (t) => {
  const folder = makeFolder(t)
  const { store, hashes } = await storeOf(folder, { again: 90 })
  await keep(store, 'again')
  const file = pathOf(folder, hashes['again'] ?? '')
  while (statSync(file).mtimeMs < Date.now() - DAY) await new Promise((r) => setTimeout(r, 5))
  for (const one of [store, await openBodyStore({ folder })]) {
    t.match(await one.eraseOlder(Date.now() - DAY, async () => undefined), { bodies: 0 })
    await one.close()
  }
})

t.test('what cannot be recorded is not erased', async (t) => {
  const folder = makeFolder(t)
  const { store, hashes } = await storeOf(folder, { old: 40 })
  const failing = store.eraseOlder(Date.now(), async () => {
    throw new Error('the disk is full')
  })
  await t.rejects(failing, { message: 'the disk is full' })
  t.ok(await store.read(hashes['old'] ?? ''))
  t.match(store.stats(), { bodies: 1, bytes: 3 })
  await store.close()
})

t.test('a body that is recorded anew while it is erased is there afterwards', async (t) => {
  const folder = makeFolder(t)
  const { store, hashes } = await storeOf(folder, { old: 40 })
  let again: Promise<string> | undefined
  await store.eraseOlder(Date.now(), async () => {
    again = keep(store, 'old')
    await new Promise((resolve) => setTimeout(resolve, 50))
  })
  t.equal(await again, hashes['old'])
  t.ok(await store.read(hashes['old'] ?? ''))
  await store.close()
})

t.test('what a smaller limit costs at a start is told', async (t) => {
  const folder = makeFolder(t)
  const { store, hashes } = await storeOf(folder, { old: 40, young: 10 })
  await store.close()
  const second = await openBodyStore({ folder, limitBytes: 6 })
  const told: string[] = []
  second.onErased((sha256) => told.push(sha256))
  t.same(told, [hashes['old']])
  await second.close()
})
