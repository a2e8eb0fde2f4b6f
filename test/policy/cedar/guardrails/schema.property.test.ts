import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs'
import fc from 'fast-check'
import t from 'tap'
import { createCedarEngine, GUARD_ATTRIBUTES, guardrailSchema } from '../../../../policy/index.ts'
import { ask } from '../../arbitraries.ts'
import { loadFreshCedar, RUNS_FACTOR } from '../../support.ts'
import { callOf, forbid, guardOf } from './_call.ts'

const cedar = createRequire(import.meta.url)('@cedar-policy/cedar-wasm/nodejs') as typeof Cedar
const schema = guardrailSchema()

/** Mentions every attribute, so that all of them are handed over. */
const ALL = GUARD_ATTRIBUTES.map(({ of, name, optional }) =>
  optional === true ? `(${of} has ${name} && false)` : `${of}.${name} != ${of}.${name}`,
)

const grant = fc.record(
  {
    id: fc.constantFrom('g_1', 'é😀', '__entity', '"\\', 'Grant'),
    task: fc.constantFrom('T-7', 'T-7/3', '\ud800'),
    keysOf: fc.constantFrom('alice', '', 'x\udfff'),
  },
  { requiredKeys: ['id'] },
)
const rest = fc.record({
  grant,
  method: fc.constantFrom('GET', 'delete', 'M-SEARCH', 'CONNECT', '\ud800'),
  scheme: fc.constantFrom('http' as const, 'https' as const),
  host: fc.constantFrom('api.test', '::1', '127.0.0.1', 'x'.repeat(300), '\ud800.test'),
  port: fc.constantFrom(0, 80, 443, 65535, 1.5, NaN, 1e300),
  path: fc.constantFrom('', '/', '/a%20b', '/\ud800', '/' + 'x'.repeat(2_000_000)),
  generic: fc.boolean(),
})

t.test('the schema is valid, and the published file is this one', async (t) => {
  t.same(cedar.checkParseSchema(schema), { type: 'success' })
  const file = new URL('../../../../docs/guardrails.cedarschema', import.meta.url)
  t.equal(readFileSync(file, 'utf8'), schema, 'stale: run `npm run docs`')
})

t.test(
  'whatever is called, what reaches the engine fits the schema and harms nothing',
  async (t) => {
    let loaded = 0
    const engine = createCedarEngine({ loadCedar: () => (loaded++, loadFreshCedar()) })
    const seen = { asked: 0, unfit: 0, passed: 0 }
    const wrong: unknown[] = []
    const guard = guardOf(forbid(`(${ALL.join(') || (')})`), {
      ...engine,
      rule(set, request) {
        seen.asked++
        const answer = cedar.isAuthorized({
          ...request,
          action: { type: 'Action', id: 'call' },
          schema,
          validateRequest: true,
          policies: { staticPolicies: 'permit (principal, action, resource);' },
        })
        const errors =
          answer.type === 'success' ? answer.response.diagnostics.errors : answer.errors
        if (errors.length > 0) wrong.push({ request, errors })
        return engine.rule(set, request)
      },
    })
    fc.assert(
      fc.property(ask, rest, (asked, around) => {
        const reasons = guard.against({ ...callOf(), ...around, ask: asked })
        if (reasons.length === 0) seen.passed++
        else if (reasons.every(({ got }) => got.includes('cannot be judged'))) seen.unfit++
        else return false
        return true
      }),
      { numRuns: 4000 * RUNS_FACTOR },
    )
    t.same(wrong.slice(0, 1), [], 'a request that the schema does not know')
    const least = Math.min(...Object.values(seen))
    t.ok(least > 100 * RUNS_FACTOR, JSON.stringify(seen))
    t.equal(loaded, 1, 'the engine was never built anew')
  },
)
