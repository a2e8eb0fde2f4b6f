import t from 'tap'
import { fixturesOf, receiptOf } from './_receipts.ts'

const POLICY = { lines: ['tools = *'] }

t.test('receipts come from a file, line by line or as lists, and from the fixtures', async (t) => {
  const lines = [
    JSON.stringify(receiptOf('a')),
    '',
    JSON.stringify([receiptOf('b'), receiptOf('c')]),
  ]
  const base = t.testdir({ 'r.ndjson': `${lines.join('\n')}\n` })
  const read = fixturesOf({ file: './r.ndjson', receipts: [receiptOf('d')], policy: POLICY }, base)
  t.strictSame(read.ok && read.fixtures.receipts.map(({ id }) => id), ['a', 'b', 'c', 'd'])
})

const BAD: Readonly<Record<string, readonly [written: object, ...paths: readonly string[]]>> = {
  'nothing to try': [{ receipts: [] }, 'policy'],
  'a policy of nothing': [{ policy: {} }, 'policy'],
  'an unknown key': [{ policy: POLICY, expects: [] }, 'expects'],
  'an unknown key inside': [{ policy: { ...POLICY, line: 'x' } }, 'policy.line'],
  'a line that does not parse': [{ policy: { lines: ['tool = x'] } }, 'policy.lines'],
  'lines that no token may have': [
    { policy: { lines: ['delegate = no', 'tools = x'] } },
    'policy.lines',
  ],
  'guardrails that are not there': [
    { policy: { guardrails: ['./no.cedar'] } },
    'policy.guardrails[0]',
  ],
  'guardrails that are wrong': [{ policy: { guardrails: ['./bad.cedar'] } }, './bad.cedar:1:45'],
  'a file that is not there': [{ policy: POLICY, file: './no.ndjson' }, 'file'],
  'a file that holds something else': [
    { policy: POLICY, file: './bad.ndjson' },
    './bad.ndjson:1',
    './bad.ndjson:2',
    './bad.ndjson:3[1]',
  ],
  'receipts that are none': [
    { policy: POLICY, receipts: [{ id: 'x' }, receiptOf('y', { door: 'window' })] },
    'receipts[0]',
    'receipts[1]',
  ],
  'a code that there is not': [
    { policy: POLICY, expect: [{ receipt: 'x', is: 'refused' }] },
    'expect[0].is',
  ],
  'several at once': [
    { policy: { lines: ['x'], guardrails: ['./no.cedar'] }, file: './no' },
    'policy.lines',
    'policy.guardrails[0]',
    'file',
  ],
}

for (const [name, [written, ...paths]] of Object.entries(BAD)) {
  t.test(name, async (t) => {
    const base = t.testdir({
      'bad.cedar': 'forbid (principal, action, resource) when { context.x };',
      'bad.ndjson': `not json\n{"id":5}\n${JSON.stringify([receiptOf('a'), 7])}\n`,
    })
    const read = fixturesOf(written, base)
    t.strictSame(read.ok ? [] : read.problems.map(({ path }) => path).sort(), paths.toSorted())
    for (const { got, repair } of read.ok ? [] : read.problems) t.match(`${got} ${repair}`, /\S \S/)
  })
}
