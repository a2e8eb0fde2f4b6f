import fc from 'fast-check'
import t from 'tap'
import { type Caveat, createCedarEngine } from '../../policy/index.ts'
import type { CedarClause } from '../../policy/cedar/clause.ts'
import { createSecondOpinion } from '../../policy/cedar/second-opinion.ts'
import { judgeLines } from '../../policy/judge.ts'
import { readLines } from '../../policy/lines.ts'
import { ask, line } from './arbitraries.ts'

// The agreement of the engines proves something only if a wrong operator in either is seen. Each
// row plants one, and random calls must find it.

type Plant = (caveat: Caveat) => Caveat

const negated: Plant = (caveat) => ({
  ...caveat,
  clause: {
    ...caveat.clause,
    refuses: (call) =>
      caveat.clause.refuses(call) === undefined ? { code: 'x', got: 'x', repair: 'x' } : undefined,
  },
})

const lax: Plant = (caveat) => ({
  ...caveat,
  clause: { ...caveat.clause, refuses: () => undefined },
})

function cedarText(from: string, to: string): Plant {
  return (caveat) => {
    const cedar = caveat.clause.cedar
    if (cedar === undefined) throw new Error(`${caveat.line}: no Cedar text to plant in`)
    const planted: CedarClause = {
      attributes: cedar.attributes,
      condition(names) {
        const text = cedar.condition(names)
        if (!text.includes(from)) throw new Error(`\`${text}\`: nothing to replace`)
        return text.replaceAll(from, to)
      },
    }
    return { ...caveat, clause: { ...caveat.clause, cedar: planted } }
  }
}

const PLANTS: readonly (readonly [string, string, Plant])[] = [
  ['tools = A*', 'the native predicate is turned round', negated],
  ['tools = A*', 'the native predicate always holds', lax],
  ['tools = A*', 'Cedar compares whole names', cedarText('like "A*"', '== "A*"')],
  ['ways = link', 'Cedar has another door', cedarText('"link"', '"mcp"')],
  ['expires < 2026-09-21T14:13:20Z', 'Cedar includes the end', cedarText(' < ', ' <= ')],
  ['expires < 2026-09-21T14:13:20Z', 'the native predicate always holds', lax],
  ['task = T-7', 'Cedar forgets the border', cedarText('"T-7/*"', '"T-7*"')],
  ['area = /src', 'Cedar forgets the border', cedarText('"/src/*"', '"/src*"')],
  ['area = /src', 'Cedar lets code run', cedarText('!context', 'true || context')],
  ['area = /src', 'Cedar takes unknown paths for none', cedarText('== "none"', '!= "values"')],
  ['person = A', 'Cedar takes everybody', cedarText(' == ', ' != ')],
  ['model = A*', 'Cedar needs no model', cedarText('== "none"', '!= "values"')],
  ['model = A*', 'the native predicate always holds', lax],
  ['arg A.a <= 1', 'Cedar compares the other way', cedarText('lessThan', 'greaterThan')],
  ['arg A.a >= 1', 'Cedar leaves out the bound', cedarText('greaterThanOrEqual', 'greaterThan')],
  ['arg A.a = 5', 'Cedar takes all but that', cedarText('context.x1 ==', 'context.x1 !=')],
  ['arg A.a in A,5', 'Cedar has another item', cedarText('"5"', '"-5"')],
  ['arg A.a prefix A', 'Cedar wants the whole', cedarText('"A*"', '"A"')],
  ['arg A.a glob *B', 'Cedar finds it anywhere', cedarText('"*B"', '"*B*"')],
  ['arg A.a = 5', 'Cedar looks at another tool', cedarText('context.x0 != "A"', 'true')],
]

const engine = createCedarEngine()

for (const [text, what, plant] of PLANTS) {
  void t.test(`${text}: ${what}`, async (t) => {
    const secondOpinion = createSecondOpinion(engine)
    const caveats = readLines([text]).map(plant)
    const property = fc.property(ask, (call) => {
      // Also as a call of the tool that the line is about, so that few are wasted.
      return [call, { ...call, tool: 'A' }].every((one) => {
        const judged = judgeLines(caveats, one, secondOpinion)
        if (judged.disagreement) t.notOk(judged.allow, 'what they disagree on is refused')
        return !judged.disagreement
      })
    })
    t.ok(fc.check(property, { numRuns: 3000, endOnFailure: true }).failed, 'it is seen')
  })
}

void t.test('without a plant nothing is seen', async (t) => {
  const secondOpinion = createSecondOpinion(engine)
  const property = fc.property(line, ask, (text, call) => {
    return !judgeLines(readLines([text]), call, secondOpinion).disagreement
  })
  t.notOk(fc.check(property, { numRuns: 300 }).failed)
})
