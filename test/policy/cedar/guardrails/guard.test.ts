import t from 'tap'
import { createCedarEngine, readGuardrails, createGuard } from '../../../../policy/index.ts'
import { callOf, forbid, forbiddenBy, guardOf } from './_call.ts'

const values = (...found: readonly unknown[]) => ({ kind: 'values', values: found }) as const

/** A condition, a call of which it holds, and one of which it does not. */
const CONDITIONS: readonly (readonly [
  string,
  Parameters<typeof callOf>[0],
  Parameters<typeof callOf>[0],
])[] = [
  ['principal == Grant::"g_1"', {}, { grant: { id: 'g_2' } }],
  ['principal has task && principal.task like "T-7*"', { grant: { id: 'g', task: 'T-7/3' } }, {}],
  ['principal has keys', { grant: { id: 'g', keysOf: 'alice' } }, {}],
  ['resource == Tool::"HTTP_GET"', {}, { ask: { tool: 'HTTP_POST' } }],
  ['resource in Host::"api.test"', {}, { host: 'other.test' }],
  ['resource.host like "*.test"', {}, { host: 'api.test.evil' }],
  ['resource.port != 443', { port: 8443 }, {}],
  ['resource.scheme == "http"', { scheme: 'http' }, {}],
  ['["DELETE", "PUT"].contains(resource.method)', { method: 'delete' }, {}],
  ['resource.generic', {}, { generic: false }],
  ['resource.runs_code', { ask: { runsCode: true } }, {}],
  ['context.way == "mount"', { ask: { way: 'mount' } }, {}],
  ['context.now >= datetime("2026-12-24")', { ask: { now: Date.UTC(2026, 11, 24) } }, {}],
  [
    'context.now.toTime() > duration("20h")',
    { ask: { now: Date.UTC(2026, 10, 29, 20, 0, 1) } },
    { ask: { now: Date.UTC(2026, 10, 29, 19) } },
  ],
  ['context.path like "/admin/*"', { path: '/admin/x' }, { path: '/a/admin/' }],
  ['context has person && context.person == "bob"', { ask: { person: 'bob' } }, {}],
  [
    'context has paths && context.paths.contains("/etc/passwd")',
    { ask: { paths: values('/src/../etc//passwd') } },
    {},
  ],
  ['!(context has paths)', { ask: { paths: { kind: 'unknown' } } }, {}],
  ['!(context has paths)', { ask: { paths: values() } }, { ask: { paths: values('/a') } }],
  [
    'context has models && context.models.contains("big")',
    { ask: { model: values('small', 'big') } },
    { ask: { model: values('small') } },
  ],
  ['context has models && context.models.isEmpty()', {}, { ask: { model: values('m') } }],
]

for (const [condition, held, free] of CONDITIONS) {
  t.test(condition, async (t) => {
    const guard = guardOf(`@id("it") ${forbid(condition)}`)
    t.strictSame(forbiddenBy(guard, callOf(held)), ['it'])
    t.strictSame(forbiddenBy(guard, callOf(free)), [])
    // And once more, from what is remembered.
    t.strictSame(forbiddenBy(guard, callOf(held)), ['it'])
    t.strictSame(forbiddenBy(guard, callOf(free)), [])
  })
}

t.test('all guardrails that forbid are told, each with its place and advice', async (t) => {
  const guard = guardOf(
    `@id("a") @advice("ask ops")\n${forbid('resource.port == 443')}\n${forbid('resource.port == 1')}\n${forbid('true')}`,
  )
  t.strictSame(guard.against(callOf()), [
    {
      code: 'guardrail',
      axis: 'guardrail',
      caveat: 'a (g.cedar:1)',
      got: 'HTTP_GET on api.test',
      repair: 'ask ops',
    },
    {
      code: 'guardrail',
      axis: 'guardrail',
      caveat: 'g.cedar:4 (g.cedar:4)',
      got: 'HTTP_GET on api.test',
      repair: 'ask the operator: this guardrail stands over all tokens',
    },
  ])
})

t.test('a guardrail that meets an error forbids', async (t) => {
  const overflow = 'resource.port + 9223372036854775807 > 0'
  const guard = guardOf(`@id("it") ${forbid(overflow)}`)
  t.match(guard.against(callOf()), [{ code: 'guardrail', caveat: /^it /, got: /error/ }])
  t.same(guard.against(callOf({ port: 0 })).length, 1, 'there it holds without an error')
  const both = guardOf(
    `@id("it") ${forbid(overflow)} @id("other") ${forbid('resource.port == 443')}`,
  )
  t.strictSame(forbiddenBy(both, callOf()), ['other', 'it'])
})

const UNFIT: Readonly<Record<string, Parameters<typeof callOf>[0]>> = {
  'half a surrogate pair in a path': { ask: { paths: values('/a\ud800') } },
  'a path that is an object': { ask: { paths: values({ __entity: { type: 'Host', id: 'x' } }) } },
  'null among the paths': { ask: { paths: values('/a', null) } },
  'more than 64 paths': {
    ask: { paths: values(...Array.from({ length: 65 }, (_, at) => `/${at}`)) },
  },
  'an encoded separator': { ask: { paths: values('/a/%2e%2e/b') } },
  'half a surrogate pair in a person': { ask: { person: '\udfff' } },
  'a clock that is no number': { ask: { now: NaN } },
}

for (const [name, call] of Object.entries(UNFIT)) {
  t.test(`${name} is not let past a guardrail that looks there, and past no other`, async (t) => {
    const looks = guardOf(
      forbid(
        'context has paths && context.paths.contains("z") && context has person && context.now < datetime("1999-01-01")',
      ),
    )
    t.match(looks.against(callOf(call)), [{ code: 'guardrail', got: /cannot be judged/ }])
    t.same(guardOf(forbid('resource.port == 1')).against(callOf(call)), [])
  })
}

t.test('a name that cannot be judged is refused whatever the guardrails read', async (t) => {
  const guard = guardOf(forbid('resource.port == 1'))
  t.match(guard.against(callOf({ ask: { tool: '\ud800' } })), [{ got: /a name/ }])
})

t.test('without guardrails nothing is asked', async (t) => {
  const guard = createGuard([], {
    judge: () => 'fault',
    rule: () => {
      throw new Error('asked')
    },
    holds: () => true,
    selfTest() {},
  })
  t.same(guard.against(callOf()), [])
})

t.test('an engine without a verdict refuses, and is asked again', async (t) => {
  const { guardrails } = readGuardrails([{ file: 'g.cedar', text: forbid('resource.port == 1') }])
  let answers = false
  const sound = createCedarEngine()
  const guard = createGuard(guardrails, {
    ...sound,
    rule: (set, request) => (answers ? sound.rule(set, request) : undefined),
  })
  t.match(guard.against(callOf()), [{ code: 'guardrail', got: /no verdict/ }])
  answers = true
  t.same(guard.against(callOf()), [])
})
