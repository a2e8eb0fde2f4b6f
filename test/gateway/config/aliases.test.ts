import t from 'tap'
import { badConfig, goodConfig } from './_config.ts'

t.test('aliases are lists of words and names', async (t) => {
  t.strictSame(goodConfig('aliases: [{ words: blue bubble, names: [^IMSG_, SEND] }]').aliases, [
    { words: 'blue bubble', names: ['^IMSG_', 'SEND'] },
  ])
  t.strictSame(goodConfig('{}').aliases, [])
})

t.test('what can mean nothing is refused', async (t) => {
  const paths = (alias: string) => badConfig(`aliases: [${alias}]`).map(({ path }) => path)
  t.same(paths('{ words: "?!", names: [A] }'), ['aliases[0].words'])
  t.same(paths('{ words: a, names: [] }'), ['aliases[0].names'])
  t.same(paths('{ words: a, names: [imsg] }'), ['aliases[0].names[0]'])
  t.same(paths('{ words: a, names: ["A*"] }'), ['aliases[0].names[0]'])
  t.same(paths('{ words: a }'), ['aliases[0].names'])
  t.same(paths('{ words: a, names: [A], meaning: x }'), ['aliases[0].meaning'])
})
