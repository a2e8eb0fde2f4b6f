import t from 'tap'
import { parseEnvelope } from '../../../catalog/index.ts'

const problems = (got: unknown) => {
  const parsed = parseEnvelope(got)
  return parsed.ok ? [] : parsed.problems.map(({ code, path }) => `${code} ${path}`)
}

t.test('an envelope is taken whole, and frozen', async (t) => {
  const envelope = {
    target: 'A_B',
    op: 'call',
    args: { a: [1] },
    with: ['x'],
    select: ['a'],
    control: { timeout_ms: 1, dry_run: true, retries: 0, idempotency_key: 'k' },
    want: { shape: 'rows' },
  }
  t.strictSame(parseEnvelope(envelope), { ok: true, envelope })
  t.ok(Object.isFrozen(envelope.args.a))
})

t.test('unknown fields are refused with their path, all at once', async (t) => {
  t.same(
    problems({
      target: 'A',
      op: 'call',
      foo: 1,
      control: { timeout: 1 },
      want: { aggregate: { mean: ['a'] } },
      page: { ofset: 1 },
    }),
    [
      'unknown_field foo',
      'unknown_field control.timeout',
      'unknown_field want.aggregate.mean',
      'unknown_field page.ofset',
    ],
  )
  t.same(problems(JSON.parse('{"target":"A","op":"call","__proto__":1,"constructor":2}')), [
    'unknown_field __proto__',
    'unknown_field constructor',
  ])
})

t.test('detach is not supported, which is not the same as unknown', async (t) => {
  t.same(problems({ target: 'A', op: 'call', control: { detach: true } }), [
    'not_supported control.detach',
  ])
})

t.test('target and op belong together', async (t) => {
  t.same(problems({ target: 'ledger', op: 'list', where: { a: 1 } }), [])
  for (const [got, path] of [
    [{ target: 'A', op: 'list' }, 'op'],
    [{ target: 'ledger', op: 'call' }, 'op'],
    [{ target: 'ledger', op: 'get', args: {} }, 'args'],
    [{ op: 'call' }, 'target'],
    [{ target: 'A' }, 'op'],
    [{ target: 'a-b', op: 'call' }, 'target'],
    [{ target: 'A', op: 'run' }, 'op'],
    [{ target: 'A', op: 'call', args: [] }, 'args'],
    [[], ''],
    [null, ''],
    ['x', ''],
  ] as const) {
    t.match(
      parseEnvelope(got),
      { ok: false, problems: [{ code: 'malformed_request', path }] },
      JSON.stringify(got),
    )
  }
})
