import { testAxis } from './table.ts'

testAxis({
  good: ['uses <= 0', 'uses <= 1', 'uses <= 999999999'],
  bad: [
    ['uses <= 1000000000', /no whole number/],
    ['uses <= -1', /no whole number/],
    ['uses <= 1.0', /no whole number/],
    ['uses <= 1e3', /no whole number/],
    ['uses <= 007', /no whole number/],
    ['uses <= +5', /no whole number/],
    ['uses <= five', /no whole number/],
    ['uses = 5', /the op/],
    ['uses < 5', /the op/],
  ],
  // Counted at the end of the decision, by neither engine.
  judged: [{ line: 'uses <= 0', holds: [{}] }],
})
