import t from 'tap'
import { parseCaveat } from '../../../policy/index.ts'
import type { Attribute, Scalar } from '../../../policy/cedar/clause.ts'
import { compilePolicy } from '../../../policy/cedar/compile.ts'
import { sameReadings, sliceOf } from '../../../policy/cedar/context.ts'

type Values = readonly (Scalar | undefined)[]

const PLAIN: Attribute = { key: 'a', read: () => [] }
const CLOCK: Attribute = { key: 'now', timed: true, read: () => [] }

/** Readings of one attribute, no two alike, some of which could pass for one another if they were spelled carelessly. */
const DIFFERENT: readonly Values[] = [
  [],
  [undefined],
  [undefined, undefined],
  [''],
  ['-'],
  ['a'],
  ['b'],
  ['a', 'b'],
  ['a', 'c'],
  ['b', 'a'],
  ['a', undefined],
  ['ab'],
  ['s1:a'],
  ['as1:b'],
  ['5;'],
  ['5', '6'],
  ['5;6'],
  [5],
  ['5'],
  [5, 6],
  [56],
  [true],
  ['true'],
  [false],
  [{ decimal: '5.0000' }],
  [{ decimal: '6.0000' }],
  ['5.0000'],
  [{ decimal: '5.0000' }, { decimal: '6.0000' }],
]

const copyOf = (values: Values): Values =>
  values.map((value) => (typeof value === 'object' ? { ...value } : value))

t.test('the same readings are the same, and others are others', async (t) => {
  for (const [one, a] of DIFFERENT.entries())
    for (const [other, b] of DIFFERENT.entries()) {
      const says = `${JSON.stringify(a)} and ${JSON.stringify(b)}`
      const attributes = [PLAIN, PLAIN]
      t.equal(sameReadings(attributes, [['x'], a], [['x'], copyOf(b)]), one === other, says)
      const slices = [a, copyOf(b)].map((values) => sliceOf(attributes, [['x'], values]))
      t.equal(slices[0] === slices[1], one === other, says)
    }
  t.equal(sameReadings([PLAIN], [['a']], []), false, 'one that is missing is another')
})

t.test('a value cannot pass from one attribute to the next', async (t) => {
  const slices = [
    [['a'], ['b']],
    [['a', 'b'], []],
    [[], ['a', 'b']],
    [['ab'], ['']],
  ].map((readings) => sliceOf([PLAIN, PLAIN], readings))
  t.equal(new Set(slices).size, slices.length)
})

t.test('the clock makes no difference', async (t) => {
  t.equal(sameReadings([CLOCK, PLAIN], [[1], ['a']], [[2], ['a']]), true)
  t.equal(sameReadings([CLOCK, PLAIN], [[1], ['a']], [[2], ['b']]), false)
  t.equal(sliceOf([CLOCK, PLAIN], [[1], ['a']]), sliceOf([CLOCK, PLAIN], [[2], ['a']]))
})

t.test('the ends of a policy ascend, each once', async (t) => {
  const lines = ['2028', '2026', '2027', '2026'].map((year) => `expires < ${year}-01-01T00:00:00Z`)
  t.strictSame(
    compilePolicy(['tools = *', ...lines].map(parseCaveat)).deadlines,
    [2026, 2027, 2028].map((year) => Date.UTC(year, 0, 1)),
  )
})
