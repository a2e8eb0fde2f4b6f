import fc from 'fast-check'
import t from 'tap'
import { createCedarEngine } from '../../../policy/index.ts'
import { compilePolicy } from '../../../policy/cedar/compile.ts'
import { createSecondOpinion } from '../../../policy/cedar/second-opinion.ts'
import { judgeLines } from '../../../policy/judge.ts'
import { readLines } from '../../../policy/lines.ts'
import { askOf, loadFreshCedar } from '../support.ts'

const policyOf = (line: string) => compilePolicy(readLines([line])).text

const secondOpinion = createSecondOpinion(createCedarEngine({ loadCedar: loadFreshCedar }))

t.test('an item that stands many times is read once', async (t) => {
  for (const [start, once, again] of [
    ['tools = ', 'A,B*', 'B*'],
    ['model = ', 'a,b*', 'a'],
    ['area = ', '/a,/b', '/a/./,/b/../a'],
    ['arg X.a in ', 'a,b', 'b'],
    ['ways = ', 'mcp,proxy', 'mcp'],
  ] as const) {
    const repeated = start + [once, ...Array<string>(200).fill(again)].join(',')
    t.equal(policyOf(repeated), policyOf(start + once), start)
    t.equal(explained(repeated), explained(start + once), 'and told once')
  }
})

function explained(line: string): string | undefined {
  return readLines([line])[0]?.clause.words
}

t.test('names without a star are one set, however many there are', async (t) => {
  const names = Array.from({ length: 500 }, (_, at) => `N${at}`)
  for (const start of ['tools = ', 'model = '])
    t.strictSame(
      policyOf(`${start}${names.join(',')},LEADS_*`).match(/like|contains/g),
      ['contains', 'like'],
      start,
    )
})

t.test('what a list grants is what each of its items grants', async (t) => {
  const name = fc.constantFrom('a', 'ab', 'b', 'é', '"', '\\')
  const item = fc.oneof(
    name,
    name.map((start) => `${start}*`),
    name.map((end) => `*${end}`),
  )
  const list = fc.array(item, { minLength: 1, maxLength: 6 })
  const called = fc.constantFrom('a', 'ab', 'b', 'é', 'xb', 'abx', '"', '\\', 'x', 'a*', '*a')
  const asSaid = fc.property(list, called, (items, tool) => {
    const granted = items.some((one) =>
      one.endsWith('*')
        ? tool.startsWith(one.slice(0, -1))
        : one.startsWith('*')
          ? tool.endsWith(one.slice(1))
          : tool === one,
    )
    const ask = askOf({ tool, model: { kind: 'values', values: [tool] } })
    return [`tools = ${items.join(',')}`, `model = ${items.join(',')}`].every((line) => {
      const { allow, disagreement } = judgeLines(readLines([line]), ask, secondOpinion)
      return allow === granted && !disagreement
    })
  })
  t.doesNotThrow(() => fc.assert(asSaid, { numRuns: 1000 }))
})
