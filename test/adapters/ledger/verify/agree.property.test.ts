import fc from 'fast-check'
import t from 'tap'
import { RUNS } from '../rig.ts'
import { byProduct, byStranger, copyOf, linesOf, makeCorpus, writeBack } from './_rig.ts'

/** A place in a log: how far into it, as a fraction. */
const place = fc.double({ min: 0, max: 0.999, noNaN: true })

/** One deed on the lines of one segment. */
const deed = fc.oneof(
  fc.record({ do: fc.constant('drop' as const), at: place, count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('swap' as const), at: place, with: place }),
  fc.record({ do: fc.constant('copy' as const), at: place, to: place }),
  fc.record({ do: fc.constant('flip' as const), at: place, byte: place, bit: fc.nat(7) }),
)

const isRecord = (line: string) => !line.startsWith('{"kind":"segment"', 65)

t.test('whatever is done to a log, both verifiers say whether something was', async (t) => {
  t.setTimeout(120_000)
  const corpus = await makeCorpus(t)
  const good = await byProduct(corpus, { key: true })
  t.same(good, { verdict: 'ok', faults: [] })
  await fc.assert(
    fc.asyncProperty(deed, place, async (what, where) => {
      const copy = copyOf(t, corpus)
      const segments = linesOf(copy)
      const lines = segments[Math.floor(where * segments.length)]?.lines ?? []
      const before = lines.join('\n')
      const placeOf = (fraction: number) => Math.floor(fraction * lines.length)
      const at = placeOf(what.at)
      if (what.do === 'drop') lines.splice(at, what.count)
      if (what.do === 'copy') lines.splice(placeOf(what.to), 0, lines[at] ?? '')
      if (what.do === 'swap') {
        const other = placeOf(what.with)
        ;[lines[at], lines[other]] = [lines[other] ?? '', lines[at] ?? '']
      }
      if (what.do === 'flip') {
        const bytes = Buffer.from(lines[at] ?? '', 'latin1')
        const byte = Math.floor(what.byte * bytes.length)
        bytes[byte] = (bytes[byte] ?? 0) ^ (1 << what.bit)
        lines[at] = bytes.toString('latin1')
      }
      // Behind the last checkpoint stands the record of it, which nothing covers yet.
      const after = lines.join('\n')
      const isLast = segments.at(-1)?.lines === lines
      const cut = before.slice(after.length).trim().split('\n').filter(isRecord)
      const isCut = isLast && before.startsWith(after) && cut.length === 1
      writeBack(segments)
      const [product, stranger] = [await byProduct(copy, {}), byStranger(copy, {})]
      t.equal(product.verdict, isCut || after === before ? 'ok' : 'damaged', JSON.stringify(what))
      t.equal(stranger.verdict, product.verdict, JSON.stringify(what))
    }),
    { numRuns: Math.ceil(60 * RUNS) },
  )
})
