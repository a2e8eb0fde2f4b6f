import t from 'tap'
import { cedarOf, parseCaveat } from '../../../policy/index.ts'

const shown = (...lines: readonly string[]) => cedarOf(lines.map(parseCaveat))

t.test('a policy is shown formatted, with what it reads of the call', async (t) => {
  const { policy, context } = shown('tools = A', 'ways = mcp')
  t.equal(
    policy,
    [
      'permit (principal, action, resource)',
      'when',
      '{',
      '  ((context has x0 && (["A"].contains(context.x0))) &&',
      '   (context has x1 && ["mcp"].contains(context.x1)))',
      '};',
    ].join('\n'),
  )
  t.strictSame(context, { x0: 'tool', x1: 'way' })
})

t.test(
  'what lines read of the call has a name, the same for those that read the same',
  async (t) => {
    const attributes = (...lines: readonly string[]) => Object.values(shown(...lines).context)
    t.strictSame(attributes('arg X.a = A', 'arg X.a in A,B'), ['tool', 'spelled X.a'])
    t.strictSame(attributes('arg X.a <= 5', 'arg X.a >= 1'), ['tool', 'number X.a'])
    t.strictSame(attributes('arg X.a prefix A', 'arg X.a prefix B'), ['tool', 'text X.a'])
    t.strictSame(attributes('arg X.a glob A*', 'arg X.a glob B*'), [
      'tool',
      'glob A* X.a',
      'glob B* X.a',
    ])
    t.strictSame(
      attributes(
        'area = /src',
        'model = m',
        'person = p',
        'task = T',
        'expires < 2030-01-01T00:00:00Z',
      ),
      ['runs', 'paths', 'path', 'models', 'model', 'person', 'task', 'now'],
    )
    t.strictSame(attributes('uses <= 1', 'delegate = no'), [], 'some read nothing')
  },
)
