import { testAxis } from './table.ts'

testAxis({
  good: ['keys = p_k2x9qa'],
  bad: [
    ['keys = a,b', /not one id/],
    ['keys =', /one value/],
    ['keys in a', /the op/],
  ],
  judged: [{ line: 'keys = p_1', holds: [{}, { person: 'p_2' }] }],
})
