import t from 'tap'
import {
  COLUMNS,
  columnsOf,
  endColumnsOf,
  valuesOf,
} from '../../../../adapters/ledger/index/columns.ts'
import { EXCHANGE_FIELDS, VIEWS } from '../../../../catalog/index.ts'

const INTENT = {
  kind: 'intent',
  n: 1,
  id: 'x',
  opened: '2026-01-31T12:00:00+02:00',
  origin: 'gateway',
  door: 'tunnel',
  peer: '127.0.0.1',
  task: 'T-7/3/1',
  grant: 'g',
  link: 'l',
  person: 'ada',
  keys: 'github-key',
  envelope: { target: 'T', op: 'call', args: { host: 'other.test' } },
  tool: 'T',
  model: 'm',
  upstream: { method: 'POST', url: 'https://api.example.test:8443/v1?a=1' },
  would_refuse: [{ axis: 'guardrail' }],
  policy: 'p',
}

const OUTCOME = {
  kind: 'outcome',
  n: 2,
  intent: 1,
  outcome: 'failed',
  ran: 'unknown',
  code: 'upstream_failed',
  reasons: [
    { axis: 'upstream', got: 'x', repair: 'y' },
    { axis: 'other', caveat: 'c' },
    { axis: 'upstream' },
  ],
  status: 502,
  request: { bytes: 10 },
  response: { bytes: 20 },
  delivered: { bytes: 5 },
  timing: {
    token: 0.1,
    envelope: 0.2,
    policy: 0.3,
    keys: 0.4,
    intent: 1,
    upstream: 100.001,
    body: 7,
  },
  closed: '2026-01-31T10:00:01.5Z',
}

t.test('every column of an exchange, by where it comes from', async (t) => {
  t.strictSame(columnsOf(INTENT, OUTCOME), {
    opened: '2026-01-31T10:00:00.000Z',
    closed: '2026-01-31T10:00:01.500Z',
    origin: 'gateway',
    door: 'tunnel',
    peer: '127.0.0.1',
    task: 'T-7/3/1',
    run: 'T-7',
    grant: 'g',
    link: 'l',
    person: 'ada',
    key: 'github-key',
    tool: 'T',
    model: 'm',
    method: 'POST',
    host: 'api.example.test',
    url: 'https://api.example.test:8443/v1?a=1',
    outcome: 'failed',
    ran: 'unknown',
    code: 'upstream_failed',
    axis: 'upstream',
    axes: 'upstream,other',
    caveat: null,
    status: 502,
    request_bytes: 10,
    response_bytes: 20,
    delivered_bytes: 5,
    ms: 109_001,
    upstream_ms: 100_001,
    own_ms: 2000,
    times: 1,
    noise: 0,
    shadowed: 1,
    policy: 'p',
  })
})

t.test('columns and fields are the same', async (t) => {
  t.strictSame(
    COLUMNS,
    EXCHANGE_FIELDS.filter((name) => name !== 'seq' && name !== 'id'),
  )
  t.equal(valuesOf(columnsOf({}, undefined)).length, COLUMNS.length)
  for (const view of ['exchanges', 'turns', 'refusals'] as const)
    t.same(
      Object.keys(VIEWS[view].fields).filter(
        (name) => !EXCHANGE_FIELDS.some((each) => each === name),
      ),
      [],
      view,
    )
})

t.test('what is not what it should be is nothing', async (t) => {
  const odd = {
    opened: 'yesterday',
    closed: '0000-01-01T00:00:00Z',
    task: 7,
    tool: 'a\0\ud800b',
    upstream: 'no object',
    envelope: { args: { host: 'args.test' } },
    reasons: 'none',
    status: 200.5,
    request: { bytes: '10' },
    response: { bytes: 3 },
    timing: { token: -1, upstream: 'slow' },
    ran: 'perhaps',
    aggregated: { total: 12 },
    noise: 'yes',
  }
  t.match(columnsOf(odd, undefined), {
    opened: null,
    closed: null,
    task: null,
    run: null,
    tool: 'a\uFFFD\uFFFDb',
    method: null,
    host: 'args.test',
    axis: null,
    axes: null,
    status: null,
    request_bytes: null,
    delivered_bytes: 3,
    ms: null,
    own_ms: null,
    ran: null,
    times: 12,
    noise: 0,
  })
})

t.test('an outcome that comes later says nothing of what it does not name', async (t) => {
  const named = Object.entries(endColumnsOf({ outcome: 'allowed', status: 200 })).filter(
    ([, value]) => value !== null,
  )
  t.strictSame(Object.fromEntries(named), { outcome: 'allowed', status: 200 })
  t.match(endColumnsOf({ noise: true, aggregated: { total: 3 }, would_refuse: [] }), {
    noise: 1,
    times: 3,
    shadowed: 1,
  })
})
