import t from 'tap'
import { compiled, project } from './project.ts'

const filtered = (document: string, test: object) =>
  project(document, compiled({ where: { 'tags[].id': test } }), { sizes: [3] }).text

t.test('a filter sees the value of every element, not the last one’s alone', async (t) => {
  const document = '[{"tags":[{"id":1},{"id":2}]}]'
  t.equal(filtered(document, { eq: 1 }), document)
  t.equal(filtered(document, { eq: 2 }), document)
  t.equal(filtered(document, { eq: 3 }), '[]')
})

t.test('of a member that an element has twice it sees the last copy', async (t) => {
  const document = '[{"tags":[{"id":1},{"id":2,"id":3}]}]'
  t.equal(filtered(document, { eq: 1 }), document)
  t.equal(filtered(document, { eq: 2 }), '[]')
  t.equal(filtered(document, { eq: 3 }), document)
})

t.test('of a list that a row has twice it sees the last copy', async (t) => {
  const document = '[{"tags":[{"id":1}],"tags":[{"id":2}]}]'
  t.equal(filtered(document, { eq: 1 }), '[]')
  t.equal(filtered(document, { eq: 2 }), document)
})
