import { testAxis } from './table.ts'

testAxis({
  good: ['person = p_k2x9qa', 'person = ann@example.com'],
  bad: [
    ['person = a,b', /not one id/],
    ['person = a b', /not one id/],
    ['person in a', /the op/],
  ],
  judged: [
    {
      line: 'person = p_1',
      holds: [{ person: 'p_1' }],
      refuses: [{}, { person: '' }, { person: 'p_11' }, { person: 'P_1' }, { person: '\ud800' }],
      code: 'person_mismatch',
    },
  ],
})
