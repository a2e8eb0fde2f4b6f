import t from 'tap'
import { GUARD_ATTRIBUTES } from '../../../../policy/index.ts'
import { callOf } from './_call.ts'

type Over = Parameters<typeof callOf>[0]

/** What one attribute reads of a call. */
const read = (name: string, over: Over = {}) =>
  GUARD_ATTRIBUTES.find((attribute) => attribute.name === name)?.read(callOf(over))

const values = (...found: readonly unknown[]) => ({ kind: 'values', values: found }) as const

t.test('what a plain call reads', async (t) => {
  t.strictSame(Object.fromEntries(GUARD_ATTRIBUTES.map(({ name }) => [name, read(name)])), {
    task: undefined,
    keys: undefined,
    host: 'api.test',
    port: 443,
    scheme: 'https',
    method: 'GET',
    generic: callOf().generic,
    runs_code: false,
    way: 'proxy',
    now: { datetime: '2026-11-29T00:00:00.000Z' },
    path: '/a',
    person: undefined,
    paths: [],
    models: [],
  })
})

t.test('each is read as the call has it', async (t) => {
  const grant = { id: 'g_1', task: 'T-7', keysOf: 'alice' }
  t.equal(read('task', { grant }), 'T-7')
  t.equal(read('keys', { grant }), 'alice')
  t.equal(read('port', { port: 8080 }), 8080)
  t.equal(read('scheme', { scheme: 'http' }), 'http')
  t.equal(read('method', { method: 'patch' }), 'PATCH')
  for (const generic of [true, false]) t.equal(read('generic', { generic }), generic)
  t.equal(read('runs_code', { ask: { runsCode: true } }), true)
  t.equal(read('way', { ask: { way: 'mcp' } }), 'mcp')
  t.equal(read('person', { ask: { person: 'alice' } }), 'alice')
  t.same(read('now', { ask: { now: 1999.5 } }), { datetime: '1970-01-01T00:00:01.000Z' })
  t.same(read('now', { ask: { now: -1 } }), { datetime: '1969-12-31T23:59:59.000Z' })
  const last = Date.UTC(9999, 11, 31, 23, 59, 59)
  t.same(read('now', { ask: { now: last } }), { datetime: '9999-12-31T23:59:59.000Z' })
})

t.test('sets are canonical, sorted, each value once', async (t) => {
  t.same(read('paths', { ask: { paths: values('/b/', '/a/./x', '/b') } }), ['/a/x', '/b'])
  t.same(read('models', { ask: { model: values('m2', 'm1', 'm2') } }), ['m1', 'm2'])
})

t.test('what is not known is absent, also what is left to the upstream', async (t) => {
  for (const bearing of [{ kind: 'unknown' } as const, values()]) {
    t.equal(read('paths', { ask: { paths: bearing } }), undefined)
    t.equal(read('models', { ask: { model: bearing } }), undefined)
  }
})

t.test('what no engine may look at is null', async (t) => {
  const half = 'a\ud800'
  const many = values(...Array.from({ length: 65 }, (_, at) => `/${at}`))
  const unfit: readonly (readonly [name: string, over: Over])[] = [
    ['task', { grant: { id: 'g_1', task: half } }],
    ['keys', { grant: { id: 'g_1', keysOf: half } }],
    ['host', { host: half }],
    ['port', { port: 1.5 }],
    ['port', { port: Number.NaN }],
    ['method', { method: half }],
    ['path', { path: half }],
    ['person', { ask: { person: half } }],
    ['person', { ask: { person: 'p'.repeat(257) } }],
    ['now', { ask: { now: Number.NaN } }],
    ['now', { ask: { now: Date.UTC(10_000, 0, 1) } }],
    ['paths', { ask: { paths: values('/a', '/%2e%2e') } }],
    ['paths', { ask: { paths: values('/a', 5) } }],
    ['paths', { ask: { paths: values(half) } }],
    ['paths', { ask: { paths: many } }],
    ['models', { ask: { model: values('m', half) } }],
    ['models', { ask: { model: values('m'.repeat(257)) } }],
    ['models', { ask: { model: values(null) } }],
    ['models', { ask: { model: many } }],
  ]
  for (const [name, over] of unfit) t.equal(read(name, over), null, name)
})

t.test('which of them may be absent, and what they are', async (t) => {
  t.strictSame(
    GUARD_ATTRIBUTES.map(({ of, name, type, optional }) =>
      [`${of}.${name}`, type, ...(optional === true ? ['optional'] : [])].join(' '),
    ),
    [
      'principal.task String optional',
      'principal.keys String optional',
      'resource.host String',
      'resource.port Long',
      'resource.scheme String',
      'resource.method String',
      'resource.generic Bool',
      'resource.runs_code Bool',
      'context.way String',
      'context.now datetime',
      'context.path String',
      'context.person String optional',
      'context.paths Set<String> optional',
      'context.models Set<String> optional',
    ],
  )
  for (const { says } of GUARD_ATTRIBUTES) t.match(says, /^\S.*\S$/)
})
