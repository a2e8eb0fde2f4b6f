import { testAxis } from './table.ts'

testAxis({
  good: ['delegate = no'],
  bad: [
    ['delegate = yes', /use `no`/],
    ['delegate = NO', /use `no`/],
    ['delegate <= no', /the op/],
  ],
  judged: [{ line: 'delegate = no', holds: [{}] }],
})
