import t from 'tap'
import { replay } from '../../../gateway/replay/replay.ts'
import { configOf, fixturesOf, receiptOf, refusedOf } from './_receipts.ts'

function replayed(written: object, config: object = {}, base?: string) {
  const read = fixturesOf(written, base)
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  return replay(read.fixtures, configOf(config, base))
}

/** The verdicts after, by receipt. */
function verdicts(written: object, config?: object, base?: string) {
  return Object.fromEntries(
    replayed(written, config, base).replayed.map(({ receipt, after }) => [receipt, after]),
  )
}

t.test('lines take the place of the token’s: both ways, and with reasons', async (t) => {
  const receipts = [
    receiptOf('stays'),
    receiptOf('narrowed', {
      tool: 'HTTP_POST',
      envelope: { args: {} },
      upstream: { method: 'POST', url: 'https://a.test/' },
    }),
    refusedOf('widened', 'tool_not_granted', 'tools'),
    refusedOf('other', 'way_not_granted', 'ways', { door: 'mcp' }),
  ]
  const { replayed: all } = replayed({
    receipts,
    policy: { lines: ['tools = HTTP_GET', 'ways = proxy'] },
  })
  t.match(all, [
    { receipt: 'stays', before: 'allowed', after: 'allowed', reasons: [] },
    {
      receipt: 'narrowed',
      tool: 'HTTP_POST',
      method: 'POST',
      url: 'https://a.test/',
      before: 'allowed',
      after: 'tool_not_granted',
      reasons: [{ axis: 'tools', caveat: 'tools = HTTP_GET', got: 'HTTP_POST' }],
    },
    { receipt: 'widened', before: 'tool_not_granted', after: 'allowed', reasons: [] },
    { receipt: 'other', before: 'way_not_granted', after: 'way_not_granted', reasons: [] },
  ])
})

t.test('guardrails take the place of the configuration’s; the lines’ refusals stand', async (t) => {
  const base = t.testdir({
    'old.cedar': 'forbid (principal, action, resource) when { resource.method == "PUT" };',
    'new.cedar': `
      @id("pub") forbid (principal, action, resource) when { context.path like "/pub/*" };
      @id("task") forbid (principal, action, resource) when { principal has task && principal.task == "T-8" };`,
  })
  const config = { guardrails: { files: ['./old.cedar'] } }
  const put = {
    tool: 'HTTP_PUT',
    envelope: { args: {} },
    upstream: { method: 'PUT', url: 'https://a.test/' },
  }
  const receipts = [
    receiptOf('forbidden'),
    receiptOf('by-task', { task: 'T-8', upstream: { method: 'GET', url: 'http://a.test/' } }),
    receiptOf('free', { upstream: { method: 'GET', url: 'http://a.test/' } }),
    refusedOf('freed', 'guardrail', 'guardrail', put),
    refusedOf('by-lines', 'tool_not_granted', 'tools', put),
    refusedOf('by-both', 'guardrail', 'tools', put),
  ]
  t.strictSame(verdicts({ receipts, policy: { guardrails: ['./new.cedar'] } }, config, base), {
    forbidden: 'guardrail',
    'by-task': 'guardrail',
    free: 'allowed',
    freed: 'allowed',
    'by-lines': 'tool_not_granted',
    'by-both': 'guardrail',
  })
  const widened = [refusedOf('by-lines', 'tool_not_granted', 'tools', put)]
  const lines = { receipts: widened, policy: { lines: ['tools = *'] } }
  t.strictSame(verdicts(lines, config, base), { 'by-lines': 'guardrail' }, 'those in force stay')
  const shadow = { guardrails: { ...config.guardrails, mode: 'shadow' } }
  t.strictSame(verdicts(lines, shadow, base), { 'by-lines': 'allowed' })
})

t.test('a call is judged at its own time', async (t) => {
  const receipts = [receiptOf('before'), receiptOf('after', { opened: '2026-11-29T12:00:02.000Z' })]
  t.strictSame(verdicts({ receipts, policy: { lines: ['expires < 2026-11-29T12:00:01Z'] } }), {
    before: 'allowed',
    after: 'expired',
  })
})

t.test('rows and hosts of the configuration say what a call bears', async (t) => {
  const row = { name: 'CHAT', summary: 's', host: 'a.test', method: 'POST', path: '/c', model: 'm' }
  const base = t.testdir({ 'catalog.yaml': JSON.stringify({ tools: [row] }) })
  const chat = (id: string, m: string, tool = 'CHAT') =>
    receiptOf(id, {
      tool,
      envelope: { args: { m } },
      upstream: { method: 'POST', url: 'https://a.test/c' },
    })
  const receipts = [
    chat('small', 'small'),
    chat('big', 'big'),
    chat('gone', 'small', 'GONE'),
    receiptOf('generic'),
    receiptOf('stated', { upstream: { method: 'GET', url: 'https://b.test/' } }),
  ]
  const config = {
    catalog: ['./catalog.yaml'],
    upstreams: [{ name: 'b', hosts: ['b.test'], bears: { model: false } }],
  }
  t.strictSame(verdicts({ receipts, policy: { lines: ['model = small'] } }, config, base), {
    small: 'allowed',
    big: 'model_not_granted',
    gone: 'model_not_granted',
    generic: 'model_not_granted',
    stated: 'allowed',
  })
})

t.test('a number that no double holds is judged as it was, and has no members', async (t) => {
  const row = { name: 'PAY', summary: 's', host: 'a.test', method: 'POST', path: '/p' }
  const base = t.testdir({ 'catalog.yaml': JSON.stringify({ tools: [row] }) })
  const config = { catalog: ['./catalog.yaml'] }
  const pay = (id: string, n: unknown) =>
    receiptOf(id, {
      tool: 'PAY',
      envelope: { args: { n } },
      upstream: { method: 'POST', url: 'https://a.test/p' },
    })
  const long = '9007199254740993'
  const receipts = [
    pay('long', { number: long }),
    pay('listed', [{ number: long }]),
    pay('object', { number: '7' }),
  ]
  for (const [line, object] of [
    [`arg PAY.n.number = ${long}`, 'arg_refused'],
    ['arg PAY.n.number glob *', 'allowed'],
    ['arg PAY.n >= 1', 'arg_refused'],
  ] as const)
    t.strictSame(
      verdicts({ receipts, policy: { lines: [line] } }, config, base),
      { long: 'arg_refused', listed: 'arg_refused', object },
      line,
    )
})

t.test('other refusals stay, and calls that were not understood are skipped', async (t) => {
  const {
    envelope: _,
    tool: __,
    ...unread
  } = refusedOf('forged', 'token_forged', 'token') as {
    envelope: object
    tool: string
  }
  const receipts = [
    refusedOf('revoked', 'revoked', 'grant'),
    refusedOf('spent', 'uses_spent', 'uses'),
    refusedOf('address', 'address_refused', 'upstream'),
    receiptOf('failed', { outcome: 'failed', code: 'upstream_failed', ran: 'unknown' }),
    unread,
    receiptOf('early', { outcome: 'failed', code: 'not_ready' }),
  ]
  const report = replayed({ receipts, policy: { lines: ['tools = HTTP_POST'] } })
  t.strictSame(Object.fromEntries(report.replayed.map((one) => [one.receipt, one.after])), {
    revoked: 'revoked',
    spent: 'uses_spent',
    address: 'address_refused',
    failed: 'tool_not_granted',
  })
  t.strictSame(report.skipped, ['forged', 'early'])
})

t.test('an expectation that does not hold is told, with what became of it', async (t) => {
  const { broken } = replayed({
    receipts: [receiptOf('one'), receiptOf('two')],
    policy: { lines: ['tools = HTTP_POST'] },
    expect: [
      { receipt: 'one', is: 'tool_not_granted' },
      { receipt: 'two', is: 'allowed' },
      { receipt: 'three', is: 'allowed' },
    ],
  })
  t.strictSame(broken, [
    { receipt: 'two', is: 'allowed', got: 'tool_not_granted' },
    { receipt: 'three', is: 'allowed', got: undefined },
  ])
})

t.test('a guardrail that reads whose keys are used is tried with lines alone', async (t) => {
  const base = t.testdir({
    'keys.cedar':
      'forbid (principal, action, resource) when { principal has keys && principal.keys == "alice" };',
  })
  const guardrails = ['./keys.cedar']
  t.match(fixturesOf({ receipts: [receiptOf('one')], policy: { guardrails } }, base), {
    ok: false,
    problems: [{ path: 'policy.guardrails', got: /principal\.keys/, repair: /policy\.lines/ }],
  })
  const withLines = (...lines: readonly string[]) =>
    verdicts({ receipts: [receiptOf('one')], policy: { lines, guardrails } }, {}, base)
  t.strictSame(withLines('keys = alice', 'tools = *'), { one: 'guardrail' })
  t.strictSame(withLines('keys = bob', 'tools = *'), { one: 'allowed' })
  t.strictSame(withLines('tools = *'), { one: 'allowed' })
})
