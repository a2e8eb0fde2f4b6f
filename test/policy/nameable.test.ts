import t from 'tap'
import { mayNameTool } from '../../policy/index.ts'
import { readLines } from '../../policy/lines.ts'

const names = (...lines: readonly string[]) =>
  ['A', 'B', 'B_1', 'C'].filter((tool) => mayNameTool(readLines(lines), tool))

t.test('every `tools` line must allow the name', async (t) => {
  t.strictSame(names('tools = A,B*'), ['A', 'B', 'B_1'])
  t.strictSame(names('tools = A,B*', 'tools = B*,C'), ['B', 'B_1'])
  t.strictSame(names('tools = D'), [])
})

t.test('what other lines say is asked of a call, and not of a name', async (t) => {
  t.strictSame(names('uses <= 0', 'ways = mcp', 'expires < 2020-01-01T00:00:00Z', 'person = p'), [
    'A',
    'B',
    'B_1',
    'C',
  ])
  t.strictSame(names('ways = mcp', 'tools = C', 'arg C.a = b'), ['C'])
})
