import { Buffer } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import type { ListOptions } from '../../../../adapters/objects/bucket.ts'
import { createPage, type PageRow } from '../../../../adapters/objects/rules/page.ts'

const KIB = 1024

/** Reads the rows that a page asks for from a sorted list, as a database would. */
function pageOf(rows: readonly PageRow[], options: ListOptions) {
  const page = createPage<PageRow>(options)
  let reads = 0
  for (let wanted = page.wanted(); wanted !== undefined; wanted = page.wanted()) {
    const { from, to } = wanted
    const found = rows.filter(
      ({ key }) => key.compare(from) >= 0 && (to === undefined || key.compare(to) < 0),
    )
    reads += 1
    page.add(found.slice(0, wanted.rows))
  }
  return { page, reads }
}

function rowsOf(keys: readonly string[], size = 1): readonly PageRow[] {
  return [...new Set(keys)]
    .map((key) => ({ key: Buffer.from(key), size }))
    .sort((a, b) => a.key.compare(b.key))
}

const piece = fc.constantFrom('a', 'b', '/', '-', 'é', '\u{10000}', '\uffff')
const text = (maxLength: number) => fc.array(piece, { maxLength }).map((parts) => parts.join(''))
const key = text(5).filter((one) => one !== '')
const options = fc.record(
  {
    prefix: text(2),
    delimiter: fc.constantFrom('', '/', '-', 'é', '/a'),
    startAfter: text(3),
    limit: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: ['limit'] },
)

/** All entries of a listing, in order: keys, and prefixes marked as such. */
function reference(keys: readonly string[], options: ListOptions): readonly string[] {
  const { prefix = '', delimiter = '', startAfter } = options
  const entries = [...keys]
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .filter((key) => key.startsWith(prefix))
    .filter((key) => !startAfter || Buffer.compare(Buffer.from(key), Buffer.from(startAfter)) > 0)
    .map((key) => {
      const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
      return cut < 0 ? `key ${key}` : `prefix ${key.slice(0, cut + delimiter.length)}`
    })
  return [...new Set(entries)]
}

const isKey = (entry: string) => entry.startsWith('key ')

await t.test('pages together are the plain listing, whatever is asked', async (t) => {
  let pages = 0
  let prefixed = 0
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 14 }), options, (keys, options) => {
      const expected = reference(keys, options)
      const rows = rowsOf(keys)
      const found: string[] = []
      let cursor: string | undefined
      do {
        const { page } = pageOf(rows, { ...options, ...(cursor === undefined ? {} : { cursor }) })
        const entries = [
          ...page.listed.map(({ row }) => `key ${row.key.toString()}`),
          ...page.delimitedPrefixes.map((prefix) => `prefix ${prefix}`),
        ]
        // A page is full where another follows, and its entries are the next ones.
        cursor = page.cursor()
        const count = cursor === undefined ? expected.length - found.length : options.limit
        const next = expected.slice(found.length, found.length + count)
        const parted = [...next.filter(isKey), ...next.filter((entry) => !isKey(entry))]
        if (count > options.limit || !isDeepStrictEqual(entries, parted)) return false
        found.push(...next)
        pages += 1
        prefixed += page.delimitedPrefixes.length
      } while (cursor !== undefined)
      return found.length === expected.length
    }),
    { numRuns: 3000 },
  )
  t.ok(pages > 3000 && prefixed > 500, `${pages} pages, ${prefixed} prefixes`)
})

await t.test('a prefix with a million keys costs one read behind it', async (t) => {
  const rows = rowsOf([...Array.from({ length: 5000 }, (_, at) => `a/${at}`), 'b', 'c/d'])
  const { page, reads } = pageOf(rows, { delimiter: '/' })
  t.same(page.delimitedPrefixes, ['a/', 'c/'])
  t.equal(page.listed.length, 1)
  t.equal(reads, 2)
})

await t.test('47,000 objects of 32 KB: 16 MiB of bodies in all, over all pages', async (t) => {
  const rows = rowsOf(
    Array.from({ length: 47_000 }, (_, at) => `k${String(at).padStart(5, '0')}`),
    32 * KIB,
  )
  let [bytes, listed, pages] = [0, 0, 0]
  let cursor: string | undefined
  do {
    const { page } = pageOf(rows.slice(listed), {
      include: ['body'],
      ...(cursor === undefined ? {} : { cursor }),
    })
    listed += page.listed.length
    bytes += page.listed.reduce((sum, { row, bodied }) => sum + (bodied ? row.size : 0), 0)
    cursor = page.cursor()
    pages += 1
  } while (cursor !== undefined)
  t.same([listed, pages, bytes], [47_000, 47, 16 * KIB ** 2])
})

await t.test('a body comes where it is small and asked for', async (t) => {
  const rows = [255, 256, 257].map((size, at) => ({ key: Buffer.from(`${at}`), size: size * KIB }))
  const bodied = (options: ListOptions) =>
    pageOf(rows, options).page.listed.map(({ bodied }) => bodied)
  t.same(bodied({ include: ['body'] }), [true, true, false])
  t.same(bodied({ include: ['customMetadata'] }), [false, false, false])
})

await t.test('what is no cursor is refused', async (t) => {
  for (const cursor of ['', '!', 'a', '0.$', `0.${'a'.repeat(4097)}`])
    t.throws(() => createPage({ cursor }), { code: 'InvalidArgument', message: /^cursor:/ })
})
