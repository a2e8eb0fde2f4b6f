import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import type { ObjectRange } from '../../../../adapters/objects/bucket.ts'
import { rangeOf } from '../../../../adapters/objects/rules/range.ts'

const count = fc.integer({ min: 0, max: 30 })
const range: fc.Arbitrary<ObjectRange> = fc.oneof(
  fc.record({ offset: count, length: count }),
  fc.record({ offset: count }),
  fc.record({ length: count }),
  fc.record({ suffix: count }),
)

/** The bytes themselves, by cutting them out. */
function cut(bytes: readonly number[], range: ObjectRange): readonly number[] {
  if ('suffix' in range) return range.suffix === 0 ? [] : bytes.slice(-range.suffix)
  const { offset = 0, length = bytes.length } = range
  return bytes.slice(offset, offset + length)
}

await t.test('a range names the bytes that a slice would', async (t) => {
  let some = 0
  fc.assert(
    fc.property(range, count, (range, size) => {
      const bytes = Array.from({ length: size }, (_, at) => at)
      const expected = cut(bytes, range)
      try {
        const { offset, length } = rangeOf(range, size)
        some += 1
        return (
          length === expected.length &&
          isDeepStrictEqual(bytes.slice(offset, offset + length), expected)
        )
      } catch (error) {
        return expected.length === 0 && (error as { code?: string }).code === 'InvalidRange'
      }
    }),
    { numRuns: 3000 },
  )
  t.ok(some > 500, `${some} had bytes`)
})

await t.test('what is no range is refused whatever the object', async (t) => {
  const bad: readonly object[] = [
    {},
    { offset: -1 },
    { offset: 0.5 },
    { length: Number.MAX_VALUE },
    { suffix: 1, offset: 0 },
    { suffix: 1, length: 1 },
  ]
  for (const range of bad)
    t.throws(() => rangeOf(range as ObjectRange, 100), { code: 'InvalidArgument' })
  for (const range of [{ length: 0 }, { suffix: 0 }, { offset: 3, length: 0 }])
    t.throws(() => rangeOf(range, 100), { code: 'InvalidRange', message: /no byte of an object/ })
})
