import t from 'tap'
import { type CedarEngine, parseCaveat } from '../../../policy/index.ts'
import { createSecondOpinion } from '../../../policy/cedar/second-opinion.ts'
import type { Verdict } from '../../../policy/cedar/engine.ts'
import { askOf } from '../support.ts'

function countingEngine(verdict: () => Verdict = () => 'allow') {
  const engine: CedarEngine & { asked: number } = {
    asked: 0,
    judge() {
      engine.asked++
      return verdict()
    },
    rule: () => undefined,
    holds: () => true,
    selfTest() {},
  }
  return engine
}

const line = (...texts: readonly string[]) => texts.map((text) => parseCaveat(text))

void t.test('what no line reads makes no difference', async (t) => {
  const engine = countingEngine()
  const ask = createSecondOpinion(engine)
  const caveats = line('tools = A', 'arg A.x = 1')
  const call = askOf({ tool: 'A', args: { x: 1 } })
  ask(caveats, call)
  ask(caveats, { ...call, person: 'p', way: 'mcp', now: 7, args: { x: 1, y: 2 } })
  ask(line('tools = A', 'arg A.x = 1'), call)
  t.equal(engine.asked, 1)
})

void t.test('what a line reads is asked anew', async (t) => {
  const engine = countingEngine()
  const ask = createSecondOpinion(engine)
  const caveats = line('tools = A', 'arg A.x in 1,2', 'arg A.y prefix 1')
  const values = [
    [{ x: '1', y: '1' }, 1],
    [{ x: '2', y: '1' }, 2],
    [{ x: ['1', '1'], y: '1' }, 3],
    [{ x: ['1'], y: '1' }, 3],
    [{ x: '1', y: ['1', '1'] }, 4],
    [{ x: '1' }, 5],
    [{ x: '1-', y: '1' }, 6],
    [{ x: '1s1:1' }, 7],
    [{ x: ['as', 'b'] }, 8],
    [{ x: ['a', 'sb'] }, 9],
  ] as const
  for (const [args, asked] of values) {
    ask(caveats, askOf({ tool: 'A', args }))
    t.equal(engine.asked, asked, JSON.stringify(args))
  }
})

void t.test('lines that differ only in what they look at share no verdict', async (t) => {
  const engine = countingEngine()
  const ask = createSecondOpinion(engine)
  ask(line('arg A.x = 1'), askOf({ tool: 'A', args: { x: 1, y: 2 } }))
  ask(line('arg A.y = 1'), askOf({ tool: 'A', args: { x: 1, y: 2 } }))
  t.equal(engine.asked, 2)
})

void t.test(
  'a verdict stands between two expiries, in either direction of the clock',
  async (t) => {
    const engine = countingEngine()
    const ask = createSecondOpinion(engine)
    const caveats = line('expires < 2026-01-01T00:00:00Z', 'expires < 2027-01-01T00:00:00Z')
    const first = Date.UTC(2026, 0, 1)
    const second = Date.UTC(2027, 0, 1)
    const times = [
      [NaN, 1],
      [first - 1, 2],
      [0, 2],
      [first, 3],
      [second - 1, 3],
      [second, 4],
      [second + 1, 4],
      [first - 1, 5],
      [NaN, 6],
      [first, 7],
      [first - 1, 8],
    ] as const
    for (const [now, asked] of times) {
      ask(caveats, askOf({ now }))
      t.equal(engine.asked, asked, `at ${now}`)
    }
  },
)

void t.test('a fault is not remembered', async (t) => {
  const verdicts: Verdict[] = ['fault', 'allow']
  const engine = countingEngine(() => verdicts.shift() ?? 'deny')
  const ask = createSecondOpinion(engine)
  const caveats = line('tools = A')
  t.equal(ask(caveats, askOf()), 'fault')
  t.equal(ask(caveats, askOf()), 'allow')
  t.equal(ask(caveats, askOf()), 'allow')
})

void t.test('a large slice is not kept', async (t) => {
  const engine = countingEngine()
  const ask = createSecondOpinion(engine)
  const call = askOf({ tool: 'A', args: { x: 'a'.repeat(5000) } })
  ask(line('arg A.x prefix a'), call)
  ask(line('arg A.x prefix a'), call)
  t.equal(engine.asked, 2)
})

void t.test('arguments of a tool that no line is about are not looked at', async (t) => {
  const engine = countingEngine()
  const ask = createSecondOpinion(engine)
  const caveats = line('arg A.x = 1')
  for (const x of [1, 2, 'z']) ask(caveats, askOf({ tool: 'B', args: { x } }))
  t.equal(engine.asked, 1)
  ask(caveats, askOf({ tool: 'A', args: { x: 2 } }))
  t.equal(engine.asked, 2)
})

void t.test('a reading is asked for before lines are read that are not held', async (t) => {
  const held = new Set<string>()
  const engine: CedarEngine = {
    ...countingEngine(),
    judge(text) {
      held.add(text)
      return 'allow'
    },
    holds: (text) => held.has(text),
  }
  const ask = createSecondOpinion(engine)
  const lengths: number[] = []
  const note = (length: number) => void lengths.push(length)
  const caveats = line('tools = A', 'arg A.x = 1')
  const call = (x: number) => askOf({ tool: 'A', args: { x } })
  const refuse = () => {
    throw new Error('too much')
  }
  t.throws(() => ask(caveats, call(1), refuse), { message: 'too much' })
  t.equal(held.size, 0, 'nothing was read')
  ask(caveats, call(1), note)
  t.strictSame(lengths, ['tools = A'.length + 'arg A.x = 1'.length])
  ask(caveats, call(1), refuse)
  ask(caveats, call(2), refuse)
  held.clear()
  ask(caveats, call(2), refuse)
  t.throws(() => ask(caveats, call(3), refuse), { message: 'too much' }, 'what was let go counts')
  ask(caveats, call(3), note)
  t.equal(lengths.length, 2)
  ask(line('tools = B'), call(1))
  t.equal(held.size, 2, 'nobody has to count')
})
