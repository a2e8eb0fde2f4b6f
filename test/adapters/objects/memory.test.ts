import { rmSync } from 'node:fs'
import t from 'tap'
import { openBodyStore } from '../../../adapters/objects/disk.ts'
import { makeFolder } from '../ledger/rig.ts'

t.test('what goes through leaves no memory behind', async (t) => {
  const store = await openBodyStore({ folder: makeFolder(t) })
  const writer = store.writer()
  const chunk = Buffer.alloc(64 * 1024, 'x')
  /** Writes so many MB, and gives the most memory that was in use meanwhile. */
  const write = async (megabytes: number): Promise<number> => {
    let most = 0
    for (let at = 0; at < megabytes * 16; at += 1) {
      if (!writer.write(chunk)) await writer.drained()
      most = Math.max(most, process.memoryUsage().rss)
    }
    return most
  }
  // How much garbage a runtime lets lie before it collects is its own affair; from then on nothing may grow.
  const before = await write(100)
  const grown = ((await write(300)) - before) / 2 ** 20
  t.match(await writer.finish(), { kept: true, bytes: 400 * 2 ** 20 })
  t.ok(grown < 64, `grown by ${grown.toFixed(1)} MB`)
  await store.close()
})

t.test('a disk that fails never makes the sender wait or throw', async (t) => {
  const folder = makeFolder(t)
  const store = await openBodyStore({ folder })
  rmSync(`${folder}/new`, { recursive: true })
  const writer = store.writer()
  for (let at = 0; at < 50; at += 1) if (!writer.write(Buffer.alloc(65_536))) await writer.drained()
  t.match(await writer.finish(), { kept: false, why: 'failed', bytes: 50 * 65_536 })
  await store.close()
})
