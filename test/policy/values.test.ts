import t from 'tap'
import { bornValues, MAX_VALUES, valuesAt } from '../../policy/values.ts'

const nested = (depth: number): unknown => (depth === 0 ? 'v' : [nested(depth - 1)])

t.test('what a bearing has none of, or knows nothing of, has no values', async (t) => {
  t.same(bornValues({ kind: 'none' }), [])
  t.same(bornValues({ kind: 'unknown' }), [])
})

t.test('the same value twice is one', async (t) => {
  t.same(bornValues({ kind: 'values', values: ['a', 'a'] }), ['a'])
  const many = Array.from({ length: 1000 }, (_, at) => `v${at % MAX_VALUES}`)
  t.equal(bornValues({ kind: 'values', values: many }).length, MAX_VALUES)
})

t.test('a list of a million elements is given up, and no reason to fail', async (t) => {
  t.same(valuesAt({ a: Array(1_000_000).fill('v') }, ['a']), [])
})

t.test('sixteen lists for each value are opened, and no more', async (t) => {
  const most = MAX_VALUES * 16
  t.same(valuesAt({ a: nested(most - 1) }, ['a']), ['v'])
  t.same(valuesAt({ a: nested(most) }, ['a']), [])
})
