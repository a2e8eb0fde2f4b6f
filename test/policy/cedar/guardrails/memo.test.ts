import t from 'tap'
import { createCedarEngine } from '../../../../policy/index.ts'
import { callOf, forbid, guardOf } from './_call.ts'

/** Counts how often the engine is asked by guardrails of this condition. */
function counting(condition: string) {
  const engine = createCedarEngine()
  const count = { asked: 0 }
  const guard = guardOf(forbid(condition), {
    ...engine,
    rule(set, request) {
      count.asked++
      return engine.rule(set, request)
    },
  })
  return { guard, count }
}

t.test('what no guardrail mentions makes no difference', async (t) => {
  const { guard, count } = counting('resource.port == 1')
  guard.against(callOf())
  guard.against(callOf({ path: '/other', grant: { id: 'g_2', task: 'T-1' } }))
  guard.against(callOf({ ask: { now: 5, person: 'bob', way: 'mount' } }))
  t.equal(count.asked, 1)
})

t.test('tool, host and all that is mentioned do', async (t) => {
  const { guard, count } = counting(
    'resource.port == 1 || context.path == "/x" || (principal has task && principal.task == "z")',
  )
  const calls = [
    callOf(),
    callOf({ ask: { tool: 'OTHER' } }),
    callOf({ host: 'other.test' }),
    callOf({ port: 2 }),
    callOf({ path: '/other' }),
    callOf({ grant: { id: 'g_1', task: '' } }),
    callOf({ grant: { id: 'g_1', task: 'T-1' } }),
  ]
  for (const call of [...calls, ...calls]) guard.against(call)
  t.equal(count.asked, calls.length)
})

t.test('grants are told apart where one is named', async (t) => {
  const { guard, count } = counting('principal == Grant::"g_2"')
  t.equal(guard.against(callOf()).length, 0)
  t.equal(guard.against(callOf({ grant: { id: 'g_2' } })).length, 1)
  t.equal(guard.against(callOf()).length, 0)
  t.equal(count.asked, 2)
})

t.test('the clock is asked for by the second', async (t) => {
  const { guard, count } = counting('context.now >= datetime("1970-01-01T00:00:02Z")')
  const at = (now: number) => guard.against(callOf({ ask: { now } })).length
  t.strictSame([1000, 1001, 1999, 2000, 2500, 1500].map(at), [0, 0, 0, 1, 1, 0])
  t.equal(count.asked, 2)
})

t.test('values cannot pass for one another', async (t) => {
  const { guard, count } = counting(
    'context.path == "/x" || (context has person && context.person == "y")',
  )
  const calls = [
    callOf({ path: 'a","b' }),
    callOf({ path: 'a', ask: { person: 'b' } }),
    callOf({ path: 'a' }),
    callOf({ path: 'a', ask: { person: '' } }),
    callOf({ path: 'a', ask: { person: 'null' } }),
  ]
  for (const call of calls) t.same(guard.against(call), [])
  t.equal(count.asked, calls.length)
})

t.test('a long part of a call is not remembered', async (t) => {
  const { guard, count } = counting('context.path == "/x"')
  const call = callOf({ path: `/${'x'.repeat(2000)}` })
  t.same([guard.against(call), guard.against(call)], [[], []])
  t.equal(count.asked, 2)
})
