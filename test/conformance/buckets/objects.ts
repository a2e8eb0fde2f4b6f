import { Readable } from 'node:stream'
import type { ObjectBytes } from '../../../adapters/objects/bucket.ts'
import { bytesOf, bytesOfLength, digest, hasBody, textOf, withoutBody, type On } from './store.ts'

const KIB = 1024

export function testObjects(on: On): void {
  testBytes(on)
  testReplacing(on)
  testDigests(on)
  testDeleting(on)
}

function testBytes(on: On): void {
  const kinds: Readonly<Record<string, (bytes: Buffer) => ObjectBytes>> = {
    bytes: (bytes) => new Uint8Array(bytes),
    stream: (bytes) => Readable.from(piecesOf(bytes)),
  }
  for (const size of [0, 1, 256 * KIB, 256 * KIB + 1, 3_000_000]) {
    for (const [kind, made] of Object.entries(kinds)) {
      on(`${size} bytes, given as ${kind}, come back as they were`, async (t, open) => {
        const bucket = await open()
        const bytes = bytesOfLength(size)
        const before = Date.now()
        const stored = await bucket.put('a/b', made(bytes))
        t.match(stored, {
          key: 'a/b',
          size,
          etag: digest('md5', bytes),
          httpEtag: `"${digest('md5', bytes)}"`,
          checksums: { md5: digest('md5', bytes), sha256: digest('sha256', bytes) },
          httpMetadata: {},
          customMetadata: {},
        })
        t.ok(Math.abs((stored?.uploaded ?? 0) - before) < 60_000, 'uploaded is now')
        const found = await bucket.get('a/b')
        t.ok(hasBody(found) && (await bytesOf(found.body)).equals(bytes))
        t.strictSame(await withoutBody(await bucket.get('a/b')), stored, 'get knows what put told')
        t.strictSame(await bucket.head('a/b'), stored, 'head does too')
      })
    }
  }

  on('text is stored as UTF-8, metadata as it was given', async (t, open) => {
    const bucket = await open()
    const httpMetadata = {
      contentType: 'text/plain; charset=utf-8',
      contentLanguage: 'de-CH',
      contentDisposition: 'attachment; filename="a b.txt"',
      contentEncoding: 'identity',
      cacheControl: 'max-age=60',
      cacheExpiry: 1_900_000_000_000,
    }
    const customMetadata = { author: 'someone else', 'x-1': '' }
    const stored = await bucket.put('t', 'Grüezi', { httpMetadata, customMetadata })
    t.equal(await textOf(bucket, 't'), 'Grüezi')
    t.match(stored, { size: 7, httpMetadata, customMetadata })
    t.strictSame(await bucket.head('t'), stored)
  })

  on('what is not there is null', async (t, open) => {
    const bucket = await open()
    t.equal(await bucket.head('none'), null)
    t.equal(await bucket.get('none'), null)
    t.equal(await bucket.get('none', { range: { offset: 5 } }), null)
  })
}

function testReplacing(on: On): void {
  on('a put replaces all of an object', async (t, open) => {
    const bucket = await open()
    const large = bytesOfLength(300 * KIB)
    const first = await bucket.put('a', large, { customMetadata: { x: '1' } })
    const second = await bucket.put('a', 'small')
    t.equal(await textOf(bucket, 'a'), 'small')
    t.strictSame(second?.customMetadata, {})
    t.not(second?.version, first?.version)
    await bucket.put('a', large)
    t.equal((await bucket.head('a'))?.etag, first?.etag)
    const found = await bucket.get('a')
    t.ok(hasBody(found) && (await bytesOf(found.body)).equals(large))
  })

  on('a stream that breaks off stores nothing, and its error is told', async (t, open) => {
    const bucket = await open()
    await bucket.put('a', 'before')
    for (const size of [10, 400 * KIB]) {
      const broken = Readable.from(breaking(bytesOfLength(size)))
      await t.rejects(bucket.put('a', broken), { message: 'the sender went' })
    }
    t.equal(await textOf(bucket, 'a'), 'before')
  })

  on('who reads an object gets it whole, whatever becomes of it meanwhile', async (t, open) => {
    const bucket = await open()
    const bytes = bytesOfLength(2_000_000)
    await bucket.put('a', bytes)
    const [replaced, deleted] = [await bucket.get('a'), await bucket.get('a')]
    await bucket.put('a', 'other')
    await bucket.delete('a')
    await bucket.put('b', 'another turn of the collector')
    for (const object of [replaced, deleted])
      t.ok(hasBody(object) && (await bytesOf(object.body)).equals(bytes))
  })
}

function testDigests(on: On): void {
  on('bytes that were not announced are refused, and what was there stays', async (t, open) => {
    const bucket = await open()
    await bucket.put('a', 'before')
    for (const [name, length] of [
      ['md5', 32],
      ['sha1', 40],
      ['sha256', 64],
      ['sha384', 96],
      ['sha512', 128],
    ] as const) {
      const right = digest(name, Buffer.from('after'))
      const wrong = { [name]: '0'.repeat(length) }
      await t.rejects(bucket.put('a', 'after', { checksums: wrong }), {
        code: 'BadDigest',
        message: new RegExp(`checksums.${name}: the bytes have \`${right}\``),
      })
      t.equal(await textOf(bucket, 'a'), 'before')
      const stored = await bucket.put(`b-${name}`, 'after', { checksums: { [name]: right } })
      t.match(stored?.checksums, { [name]: right })
      t.strictSame((await bucket.head(`b-${name}`))?.checksums, stored?.checksums)
    }
  })
}

function testDeleting(on: On): void {
  on('a delete takes what is there, of one key or many', async (t, open) => {
    const bucket = await open()
    const keys = ['a', 'b', 'c d', 'é/ü', 'x&<>"\'y', 'e%2Ff', '+']
    for (const key of keys) await bucket.put(key, key)
    await bucket.delete('a')
    await bucket.delete('a')
    await bucket.delete([])
    t.strictSame(await Promise.all(keys.map((key) => textOf(bucket, key))), [
      undefined,
      ...keys.slice(1),
    ])
    await bucket.delete(['none', ...keys])
    t.strictSame((await bucket.list()).objects, [])
  })

  on('keys and calls that cannot be are refused', async (t, open) => {
    const bucket = await open()
    const calls: readonly ((key: string) => Promise<unknown>)[] = [
      (key) => bucket.head(key),
      (key) => bucket.get(key),
      (key) => bucket.put(key, 'x'),
      (key) => bucket.delete([key]),
    ]
    for (const call of calls) {
      await t.rejects(call(''), { code: 'InvalidObjectName' })
      await t.rejects(call('x'.repeat(1025)), { code: 'InvalidObjectName' })
    }
    const many = Array.from({ length: 1001 }, (_, at) => `${at}`)
    await t.rejects(bucket.delete(many), { code: 'InvalidArgument' })
    await t.rejects(bucket.put('a', 'x', { customMetadata: { a: 'x'.repeat(8192) } }), {
      code: 'MetadataTooLarge',
    })
    await t.rejects(bucket.list({ limit: 0 }), { code: 'InvalidMaxKeys' })
    await t.rejects(bucket.get('a', { onlyIf: { etagMatches: [] } }), { code: 'InvalidArgument' })
    const longest = 'k'.repeat(1024)
    await bucket.put(longest, 'x')
    t.equal(await textOf(bucket, longest), 'x')
  })
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000)
}

async function* breaking(bytes: Buffer): AsyncGenerator<Buffer> {
  yield* piecesOf(bytes)
  throw new Error('the sender went')
}
