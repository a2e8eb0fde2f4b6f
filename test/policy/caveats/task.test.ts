import { testAxis } from './table.ts'

testAxis({
  good: ['task = T-7', 'task = T-7/3', 'task = a b/c,d'],
  bad: [
    ['task = /T-7', /no task path/],
    ['task = T-7/', /no task path/],
    ['task = T-7//3', /no task path/],
    ['task = T-7/..', /no task path/],
    ['task = ./T-7', /no task path/],
    ['task in T-7', /the op/],
  ],
  judged: [
    {
      line: 'task = T-7',
      holds: [{}, { task: 'T-7' }, { task: 'T-7/3' }, { task: 'T-7/3/x*' }],
      refuses: [
        { task: 'T-70' },
        { task: 'T-8' },
        { task: 'T' },
        { task: '' },
        { task: 'T-7/' },
        { task: 'T-7/../T-8' },
        { task: 'T-7/\ud800' },
      ],
      code: 'task_mismatch',
    },
    {
      line: 'task = T-*',
      holds: [{ task: 'T-*/1' }],
      refuses: [{ task: 'T-7/1' }],
      code: 'task_mismatch',
    },
  ],
})
