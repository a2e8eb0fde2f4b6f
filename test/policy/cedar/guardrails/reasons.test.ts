import t from 'tap'
import { type CedarEngine, createGuard, type Guardrail } from '../../../../policy/index.ts'
import { callOf } from './_call.ts'

type Ruled = ReturnType<CedarEngine['rule']>

/** Guardrails that mention these names, on an engine that rules like this, and what that was asked. */
function guarded(mentions: readonly string[], ruled: Ruled, advice?: string) {
  const asked: Parameters<CedarEngine['rule']>[1][] = []
  const engine: CedarEngine = {
    judge: () => 'allow',
    holds: () => true,
    rule(_set, request) {
      asked.push(request)
      return ruled
    },
    selfTest() {},
  }
  const guardrail: Guardrail = { name: 'it', place: 'g.cedar:1', advice, text: '', mentions }
  return { guard: createGuard([guardrail], engine), asked }
}

const NOTHING = { forbidding: [], failing: [] }
const rest = { code: 'guardrail', axis: 'guardrail' }

t.test('what a refusal says', async (t) => {
  const call = callOf({ ask: { tool: 'A' } })
  const said = (ruled: Ruled, advice?: string) => guarded([], ruled, advice).guard.against(call)
  const of = { ...rest, caveat: 'it (g.cedar:1)' }
  const forbidden = { ...of, got: 'A on api.test' }
  const repair = 'ask the operator: this guardrail stands over all tokens'
  t.strictSame(said({ forbidding: [0], failing: [] }), [{ ...forbidden, repair }])
  t.strictSame(said({ forbidding: [0], failing: [] }, 'use another'), [
    { ...forbidden, repair: 'use another' },
  ])
  const failed = {
    ...of,
    got: 'an error while it was judged',
    repair: 'tell the operator: a guardrail that meets an error forbids the call',
  }
  t.strictSame(said({ forbidding: [0], failing: [0] }), [{ ...forbidden, repair }, failed])
  t.strictSame(said(undefined), [
    {
      ...rest,
      caveat: '',
      got: 'no verdict of the policy engine',
      repair:
        'tell the operator: this is a defect of the gateway, and the call was not let through',
    },
  ])
  t.strictSame(said(NOTHING), [])
})

t.test('what cannot be judged is not asked, and is named', async (t) => {
  const half = 'a\ud800'
  const { guard, asked } = guarded(['method', 'path'], NOTHING)
  const repair = 'send well-formed texts, paths without encoded separators, and at most 64 of them'
  const said = (got: string) => [{ ...rest, caveat: '', got, repair }]
  t.strictSame(
    guard.against(callOf({ method: half, path: half })),
    said('method, path that cannot be judged'),
  )
  const unnamed = said('a name that cannot be judged')
  t.strictSame(guard.against(callOf({ ask: { tool: half } })), unnamed)
  t.strictSame(guard.against(callOf({ grant: { id: half } })), unnamed)
  t.strictSame(guard.against(callOf({ host: half })), unnamed)
  t.strictSame(asked, [])
})

t.test('it says what it looks at that may lie in a body', async (t) => {
  t.strictSame(guarded(['paths'], NOTHING).guard.reads, { paths: true, models: false })
  t.strictSame(guarded(['models', 'x'], NOTHING).guard.reads, { paths: false, models: true })
})

t.test('what is mentioned and there is handed over, and nothing else', async (t) => {
  const { guard, asked } = guarded(['person', 'task', 'path', 'port'], NOTHING)
  guard.against(callOf({ grant: { id: 'g_1', task: 'T-1' } }))
  t.strictSame(asked[0]?.context, { path: '/a' }, 'nobody is signed in')
  t.match(asked[0]?.entities, [{ attrs: { task: 'T-1' } }, { attrs: { port: 443 } }, { attrs: {} }])
})

t.test('a part of a call is remembered up to 1,024 characters of it', async (t) => {
  const { guard, asked } = guarded(['path'], NOTHING)
  const frame = JSON.stringify([callOf().ask.tool, 'api.test', '', '']).length
  for (const [length, times] of [
    [1024, 1],
    [1025, 3],
  ] as const) {
    const call = callOf({ path: 'x'.repeat(length - frame) })
    t.same([guard.against(call), guard.against(call)], [[], []])
    t.equal(asked.length, times, `${length}`)
  }
})
