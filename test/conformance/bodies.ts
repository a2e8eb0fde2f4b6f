import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Test } from 'tap'
import type { BodyStore, KeptBody } from '../../adapters/objects/port.ts'

/** What every body store must do. `open` gives a fresh store of that size; the suite closes it. */
export function testBodyStore(t: Test, open: (limitBytes: number) => Promise<BodyStore>): void {
  for (const size of [0, 1, 64 * 1024, 64 * 1024 + 1, 1_000_000]) {
    t.test(`a body of ${size} bytes comes back as it was`, async (t) => {
      const store = await open(10_000_000)
      const body = randomBytes(size)
      const kept = await keep(store, body)
      t.same(kept, { sha256: sha256(body), bytes: size, kept: true })
      t.ok((await bytesOf(await store.read(kept.sha256))).equals(body))
      await store.close()
    })
  }

  t.test('equal bodies are kept once, also at one time', async (t) => {
    const store = await open(10_000_000)
    const body = randomBytes(100_000)
    const kept = await Promise.all(Array.from({ length: 8 }, () => keep(store, body)))
    t.ok(kept.every((each) => each.kept))
    t.match(store.stats(), { bodies: 1, bytes: 100_000 })
    await store.close()
  })

  t.test('the sender may use its buffer again at once', async (t) => {
    const store = await open(10_000_000)
    const writer = store.writer()
    const buffer = Buffer.alloc(50_000, 'a')
    writer.write(buffer)
    buffer.fill('b')
    writer.write(buffer)
    buffer.fill('c')
    const { sha256: hash } = await writer.finish()
    t.equal(hash, sha256(Buffer.from('a'.repeat(50_000) + 'b'.repeat(50_000))))
    t.match((await bytesOf(await store.read(hash))).toString('latin1'), /^a{50000}b{50000}$/)
    await store.close()
  })

  t.test('past the limit the oldest go, and each erasure is told', async (t) => {
    const store = await open(1000)
    const erased: [string, number][] = []
    store.onErased((hash, bytes) => erased.push([hash, bytes]))
    const [first, second, third] = [
      await keep(store, filled(400, 1)),
      await keep(store, filled(400, 2)),
      await keep(store, filled(400, 3)),
    ]
    t.same(erased, [[first.sha256, 400]])
    t.same(store.stats(), { bodies: 2, bytes: 800, limit: 1000 })
    t.equal(await store.read(first.sha256), undefined)
    t.ok(await store.read(second.sha256))
    t.ok(third.kept)
    await store.close()
  })

  t.test('a body larger than the store is hashed, not kept', async (t) => {
    const store = await open(1000)
    const body = randomBytes(200_000)
    t.same(await keep(store, body), {
      sha256: sha256(body),
      bytes: 200_000,
      kept: false,
      why: 'too_large',
    })
    t.equal(store.stats().bodies, 0)
    await store.close()
  })

  t.test('what was aborted leaves nothing', async (t) => {
    const store = await open(10_000_000)
    const body = randomBytes(300_000)
    const writer = store.writer()
    writer.write(body)
    writer.abort()
    t.equal(store.stats().bodies, 0)
    t.equal(await store.read(sha256(body)), undefined)
    await store.close()
  })

  t.test('a name that is no hash is nobody’s body', async (t) => {
    const store = await open(1000)
    for (const name of ['', '../../etc/passwd', 'A'.repeat(64)])
      t.equal(await store.read(name), undefined)
    await store.close()
  })

  t.test('a closed store hashes and keeps nothing', async (t) => {
    const store = await open(1000)
    await store.close()
    t.match(await keep(store, filled(10, 1)), {
      sha256: sha256(filled(10, 1)),
      kept: false,
      why: 'closed',
    })
  })
}

async function keep(store: BodyStore, body: Buffer): Promise<KeptBody> {
  const writer = store.writer()
  for (let at = 0; at < body.length; at += 40_000) {
    if (!writer.write(body.subarray(at, at + 40_000))) await writer.drained()
  }
  return writer.finish()
}

async function bytesOf(body: Readable | undefined): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of body ?? []) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function filled(length: number, byte: number): Buffer {
  return Buffer.alloc(length, byte)
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}
