import t from 'tap'
import { readGuardrails } from '../../policy/index.ts'
import { blocksOf } from './pages.ts'

t.test(
  'the guardrails that the page shows are right, and the problem that it shows is told',
  async (t) => {
    const shown = blocksOf('docs/guardrails.md').filter(({ language }) => language === 'cedar')
    const text = shown.map(({ lines }) => lines.join('\n')).join('\n')
    const read = (source: string) => readGuardrails([{ file: './guardrails.cedar', text: source }])
    t.same(read(text).problems, [])
    t.ok(read(text).guardrails.length > 3)
    const [problem] = read(text.replace('context has models', 'context.modelz')).problems
    const [told = ''] = blocksOf('docs/guardrails.md')
      .flatMap(({ lines }) => lines)
      .filter((line) => line.includes('modelz'))
    t.equal(`${problem?.path}: got ${problem?.got}; ${problem?.repair}`, told)
  },
)
