import t from 'tap'
import { createCedarEngine } from '../../../policy/index.ts'
import { createSecondOpinion } from '../../../policy/cedar/second-opinion.ts'
import { judgeLines } from '../../../policy/judge.ts'
import { readLines } from '../../../policy/lines.ts'
import { askOf } from '../support.ts'
import { withArg } from './table.ts'

// Lines about one argument that see its value differently: neither may take the other's sight.

const secondOpinion = createSecondOpinion(createCedarEngine())
const long = `arg X.a glob *${'a'.repeat(1023)}`

const TOGETHER: readonly (readonly [lines: readonly string[], value: unknown, allow: boolean])[] = [
  [['arg X.a = 5', 'arg X.a prefix 5'], 5, false],
  [['arg X.a prefix 5', 'arg X.a = 5'], 5, false],
  [['arg X.a = 5', 'arg X.a prefix 5'], '5', true],
  [['arg X.a = 5', 'arg X.a <= 9'], 5, true],
  [['arg X.a <= 9', 'arg X.a = 5'], 5, true],
  [['arg X.a <= 9', 'arg X.a = 5'], '5', false],
  [['arg X.a glob 5*', 'arg X.a in 5,6'], 5, false],
  [['arg X.a glob a*', long], 'a'.repeat(1025), false],
  [[long, 'arg X.a glob a*'], 'a'.repeat(1024), true],
]

for (const [lines, value, allow] of TOGETHER) {
  const judged = judgeLines(readLines(lines), askOf(withArg(value)), secondOpinion)
  const name = `${lines.join(' and ').slice(0, 60)}: ${String(value).slice(0, 9)}`
  t.match(judged, { allow, disagreement: false }, name)
}
