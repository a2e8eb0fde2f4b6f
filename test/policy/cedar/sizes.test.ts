import t from 'tap'
import { createCedarEngine, createDecider } from '../../../policy/index.ts'
import { judgeLines } from '../../../policy/judge.ts'
import { createSecondOpinion } from '../../../policy/cedar/second-opinion.ts'
import { readLines } from '../../../policy/lines.ts'
import { askOf, loadFreshCedar, tokenOf } from '../support.ts'

// The largest lines that the grammar lets in must not be too large for the engine.

const engine = createCedarEngine({ loadCedar: loadFreshCedar })
const secondOpinion = createSecondOpinion(engine)

function filled(start: string, item: (index: number) => string): string {
  let line = start
  for (let index = 0; ; index++) {
    const next = line === start ? line + item(index) : `${line},${item(index)}`
    if (Buffer.byteLength(next) > 4096) return line
    line = next
  }
}

const short = (index: number) => String.fromCharCode(97 + (index % 26))

void t.test('a list of some two thousand items in each kind of line', async (t) => {
  for (const line of [
    filled('tools = ', short),
    filled('model = ', (index) => `${short(index)}*`),
    filled('area = ', (index) => `/${short(index)}`),
    filled('arg X.a in ', short),
    filled('tools = ', () => '日'),
  ]) {
    const call = askOf({
      tool: line.startsWith('arg') ? 'X' : line.slice(8, 9),
      args: { a: 'b' },
      paths: { kind: 'values', values: ['/b/x'] },
      model: { kind: 'values', values: ['bcd'] },
    })
    t.match(judgeLines(readLines([line]), call, secondOpinion), { allow: true })
    const other = { ...call, tool: line.startsWith('arg') ? 'X' : '?', args: {} }
    const refused = judgeLines(
      readLines([line]),
      { ...other, paths: { kind: 'unknown' }, model: { kind: 'unknown' } },
      secondOpinion,
    )
    t.match(refused, { allow: false, disagreement: false })
  }
})

void t.test('64 lines, and lists of 64 values side by side', async (t) => {
  const token = tokenOf(
    ...Array.from({ length: 63 }, (_, index) => `arg X.a${index} glob v*${'*'.repeat(15)}`),
    'arg X.b <= 5',
  )
  const list = Array.from({ length: 64 }, (_, index) => `v${index}`)
  const args = Object.fromEntries(Array.from({ length: 63 }, (_, index) => [`a${index}`, list]))
  const decider = createDecider({ cedar: engine })
  t.match(decider.judge(token, askOf({ tool: 'X', args: { ...args, b: 1 } })), { allow: true })
  const stray = { ...args, b: 1, a62: [...list.slice(1), 'w'] }
  t.match(decider.judge(token, askOf({ tool: 'X', args: stray })), {
    allow: false,
    disagreement: false,
  })
})
