import fc from 'fast-check'
import t from 'tap'
import { allowanceOf, isWithin, lettersOf, mayBeWithin } from '../../../catalog/resolve/typo.ts'

/** The definition, with memory of nothing: the distance of two texts whose last letters are compared. */
function distance(a: string, b: string): number {
  const [m, n] = [a.length, b.length]
  if (m === 0 || n === 0) return m + n
  const options = [
    distance(a.slice(0, -1), b) + 1,
    distance(a, b.slice(0, -1)) + 1,
    distance(a.slice(0, -1), b.slice(0, -1)) + (a[m - 1] === b[n - 1] ? 0 : 1),
  ]
  if (m > 1 && n > 1 && a[m - 1] === b[n - 2] && a[m - 2] === b[n - 1]) {
    options.push(distance(a.slice(0, -2), b.slice(0, -2)) + 1)
  }
  return Math.min(...options)
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })

t.test('the distance is that of the definition', async () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
      return isWithin(a, b, most) === distance(a, b) <= most
    }),
    { numRuns: 1500 },
  )
})

t.test('the letters never rule out what is near', async () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
      return !isWithin(a, b, most) || mayBeWithin(lettersOf(a), lettersOf(b), most)
    }),
    { numRuns: 2000 },
  )
})

t.test('longer words may have more errors', async (t) => {
  t.same(['abc', 'abcd', 'abcdefg', 'abcdefgh'].map(allowanceOf), [0, 1, 1, 2])
})
