import fc from 'fast-check'
import t from 'tap'
import { createNear } from '../../../catalog/resolve/near.ts'
import { remembered } from '../../../catalog/resolve/remembered.ts'
import { allowanceOf, isWithin } from '../../../catalog/resolve/typo.ts'

const word = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'd', 'é'),
  minLength: 1,
  maxLength: 10,
})

/** A word, and the same with a part of it left out or put in. */
const edited = fc.tuple(word, word, fc.nat(10), fc.nat(2)).map(([one, more, at, cut]) => {
  const other = one.slice(0, at) + more.slice(0, 2) + one.slice(at + cut)
  return [one, other] as const
})

t.test('what is near is what the distance says of each word', async (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 60 }), edited, (words, [asked, other]) => {
      const sorted = [...new Set([...words, other])].toSorted()
      const near = createNear(sorted.map((each) => ({ word: each })))
      const meant = sorted
        .filter((each) => each !== asked && isWithin(each, asked, allowanceOf(asked)))
        .toSorted((a, b) => a.length - b.length)
      t.strictSame(
        near(asked).map((each) => each.word),
        meant,
      )
    }),
    { numRuns: 300 },
  )
})

t.test('what was asked before is remembered, and not for good', async (t) => {
  let asked = 0
  const find = remembered((text) => ({ text, at: (asked += 1) }))
  const first = find('a')
  t.equal(find('a'), first)
  for (let at = 0; at < 64; at += 1) t.equal(find(`${at}`).text, `${at}`)
  t.strictSame(find('a'), { text: 'a', at: 66 })
})
