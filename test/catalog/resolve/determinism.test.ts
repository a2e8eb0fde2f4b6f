import fc from 'fast-check'
import t from 'tap'
import { createResolver } from '../../../catalog/resolve/resolver.ts'
import { row } from './_rows.ts'

const part = fc.constantFrom('LIST', 'GET', 'ISSUES', 'ISSUE', 'REPO', 'REPOS', 'USERS', 'IMSG')
const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('_'))
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 30 })
const question = fc
  .array(
    fc.constantFrom('list', 'get', 'issues', 'isues', 'repo', 'user', 'imessage', 'how do i'),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((words) => words.join(' '))

t.test('the order of the rows changes nothing, nor does asking again', async () => {
  const shuffled = names.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  fc.assert(
    fc.property(shuffled, question, ([one, other], asked) => {
      const [a, b] = [one, other].map((list) => createResolver(list.map((each) => row(each))))
      const first = JSON.stringify(a!.find(asked))
      return first === JSON.stringify(b!.find(asked)) && first === JSON.stringify(a!.find(asked))
    }),
    { numRuns: 400 },
  )
})

t.test('fewer rows are the beginning of more', async () => {
  fc.assert(
    fc.property(names, question, fc.integer({ min: 1, max: 10 }), (list, asked, limit) => {
      const resolver = createResolver(list.map((each) => row(each)))
      const all = resolver.find(asked, { limit: 1000 })
      return JSON.stringify(all.slice(0, limit)) === JSON.stringify(resolver.find(asked, { limit }))
    }),
    { numRuns: 400 },
  )
})
