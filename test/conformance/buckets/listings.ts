import type { Bucket, ListOptions, ListedObject } from '../../../adapters/objects/bucket.ts'
import { bytesOfLength, type On } from './store.ts'

const KIB = 1024

export function testListings(on: On): void {
  on('keys come in the order of their UTF-8 bytes', async (t, open) => {
    const bucket = await open()
    const keys = ['a', 'B', 'ä', '\u{10000}', '\uffff', 'a b', 'a/', 'a/b', 'a-', 'aa', '~', '0']
    for (const key of keys) await bucket.put(key, key)
    const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    t.strictSame(await allKeys(bucket, {}), sorted)
    t.strictSame(await allKeys(bucket, { limit: 5 }), sorted)
    t.strictSame(
      await allKeys(bucket, { startAfter: 'a/' }),
      sorted.slice(sorted.indexOf('a/') + 1),
    )
    t.strictSame(await allKeys(bucket, { prefix: 'a', startAfter: '0' }), [
      'a',
      'a b',
      'a-',
      'a/',
      'a/b',
      'aa',
    ])
    t.strictSame(await allKeys(bucket, { prefix: 'none' }), [])
  })

  on('a listed object is what head knows of it', async (t, open) => {
    const bucket = await open()
    await bucket.put('a', 'x', {
      httpMetadata: { contentType: 'text/plain' },
      customMetadata: { b: 'c' },
    })
    const head = await bucket.head('a')
    const include = ['httpMetadata', 'customMetadata'] as const
    t.match((await bucket.list({ include })).objects, [head])
    const [plain] = (await bucket.list()).objects
    t.match(plain, { key: 'a', size: 1, etag: head?.etag, uploaded: head?.uploaded })
    t.strictSame([plain?.httpMetadata, plain?.customMetadata], [{}, {}], 'it was not asked for')
  })

  on('keys that share what comes before the delimiter are one entry', async (t, open) => {
    const bucket = await open()
    for (const key of ['a/1', 'a/2', 'a/b/3', 'b', 'c/1', 'd', 'e//1', 'f'])
      await bucket.put(key, '')
    const root = await bucket.list({ delimiter: '/' })
    t.strictSame(root.delimitedPrefixes, ['a/', 'c/', 'e/'])
    t.strictSame(keysOf(root.objects), ['b', 'd', 'f'])
    t.equal(root.truncated, false)
    const below = await bucket.list({ prefix: 'a/', delimiter: '/' })
    t.strictSame([below.delimitedPrefixes, keysOf(below.objects)], [['a/b/'], ['a/1', 'a/2']])
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await bucket.list({ delimiter: '/', limit: 1, ...at(cursor) })
      seen.push(...page.delimitedPrefixes, ...keysOf(page.objects))
      cursor = page.cursor
      t.equal(page.truncated, cursor !== undefined)
    } while (cursor !== undefined)
    t.strictSame(seen, ['a/', 'b', 'c/', 'd', 'e/', 'f'], 'one entry a page, none twice')
  })

  on('small bodies come with a listing, and no large ones', async (t, open) => {
    const bucket = await open()
    const sizes = { a: 0, b: 10, c: 256 * KIB, d: 256 * KIB + 1 }
    for (const [key, size] of Object.entries(sizes)) await bucket.put(key, bytesOfLength(size))
    const { objects } = await bucket.list({ include: ['body'] })
    t.strictSame(
      objects.map(({ key, bytes }) => [key, bytes && Buffer.from(bytes)]),
      Object.entries(sizes).map(([key, size]) => [
        key,
        key === 'd' ? undefined : bytesOfLength(size),
      ]),
    )
    t.ok((await bucket.list()).objects.every(({ bytes }) => bytes === undefined))
  })

  on('bodies end at 16 MiB in all, over the pages of a listing', async (t, open) => {
    const bucket = await open()
    const bytes = bytesOfLength(256 * KIB)
    await Promise.all(Array.from({ length: 70 }, (_, at) => bucket.put(`k${at + 10}`, bytes)))
    const objects = await all(bucket, { include: ['body'], limit: 30 })
    const bodied = objects.map((object) => object.bytes !== undefined)
    t.strictSame(bodied, [...Array<boolean>(64).fill(true), ...Array<boolean>(6).fill(false)])
  })
}

function at(cursor: string | undefined): ListOptions {
  return cursor === undefined ? {} : { cursor }
}

function keysOf(objects: readonly ListedObject[]): readonly string[] {
  return objects.map(({ key }) => key)
}

async function all(bucket: Bucket, options: ListOptions): Promise<readonly ListedObject[]> {
  const found: ListedObject[] = []
  let cursor: string | undefined
  do {
    const page = await bucket.list({ ...options, ...at(cursor) })
    found.push(...page.objects)
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

async function allKeys(bucket: Bucket, options: ListOptions): Promise<readonly string[]> {
  return keysOf(await all(bucket, options))
}
