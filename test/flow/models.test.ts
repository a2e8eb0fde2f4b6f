import type { Test } from 'tap'
import { flow, KEY, type TestGateway } from '../helpers/gateway.ts'
import { badForms, counted, fanOut } from './_model-forms.ts'
import { codeOf, letGo, post, resultsOf, seen, SETUP, TEXTS, type Result } from './_models.ts'

await flow('models are called by a table of them', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = CHAT,MESSAGES', 'ways = batch')
  await t.test('what the upstreams see, and what comes back', (t) =>
    seenAndAnswered(t, gateway, token),
  )
  await t.test('a line about models, and models that nobody knows', (t) =>
    refusedModels(t, gateway),
  )
  await t.test('the text has to be JSON where that is asked for', (t) =>
    jsonTexts(t, gateway, token),
  )
  await t.test('inputs, times, variables and calls within', (t) => fanOut(t, gateway, token))
  await t.test('forms that say too much or too little', (t) => badForms(t, gateway, token))
  await t.test('two hundred, counted after fan-out', (t) => counted(t, gateway, token))
  await t.test('as they finish, and in their time', (t) => inTime(t, gateway, token))
})

async function seenAndAnswered(t: Test, gateway: TestGateway, token: string) {
  const { results, of } = await resultsOf(gateway, token, [
    {
      key: 'a',
      system: 'be "brief"',
      input: 'hé\n',
      temperature: 0.2,
      max_tokens: 9,
      label: 'one',
    },
    { key: 'b', model: 'claude-x', system: 's', input: 'hi', temperature: 1 },
    { key: 'c', model: 'gpt-5', input: { $from: 'a' } },
    { key: 'd', model: 'gpt-5', input: 'fail' },
    { key: 'e', input: 'x', with: ['d'] },
    { key: 'f', model: 'gpt-strange', input: 'x' },
  ])
  t.strictSame(
    results.map(({ key }) => key),
    ['a', 'b', 'c', 'd', 'e', 'f'],
  )
  t.match(of('a'), {
    ok: true,
    status: 200,
    label: 'one',
    output: 'gpt-4o-mini: hé\n',
    finish_reason: 'stop',
    usage: { input_tokens: 5, output_tokens: 7 },
  })
  const message = { output: 'claude-x: hi!', finish_reason: 'end_turn' }
  t.match(of('b'), { ...message, usage: { input_tokens: 3, output_tokens: 2 } })
  t.equal(of('c')?.output, 'gpt-5: gpt-4o-mini: hé\n')
  t.match(of('d'), { ok: false, status: 500, output: { error: { message: 'no' } } })
  t.equal(codeOf(of('e')), 'dependency_failed')
  t.equal(codeOf(of('f')), 'upstream_invalid', 'an answer that is none in the dialect')
  const bodies = seen.map(({ body }) => body)
  const [first] = bodies
  t.equal(
    first,
    '{"model":"gpt-4o-mini","messages":[{"role":"system","content":"be \\"brief\\""},{"role":"user","content":"hé\\n"}],"temperature":0.2,"max_tokens":9}',
  )
  t.ok(
    bodies.includes(
      '{"model":"claude-x","max_tokens":4096,"system":"s","messages":[{"role":"user","content":"hi"}],"temperature":1}',
    ),
  )
  for (const { url, headers } of seen) {
    const isMessage = url === '/v1/messages'
    t.equal(headers.authorization, isMessage ? undefined : `Bearer ${KEY}`)
    t.equal(headers['x-api-key'], isMessage ? KEY : undefined)
    t.notOk(JSON.stringify(headers).includes(token.slice(3, 40)), 'the token stays here')
    t.equal(headers['want'], undefined)
  }
  t.equal(
    seen.find(({ url }) => url === '/v1/messages')?.headers['anthropic-version'],
    '2023-06-01',
  )
  t.match(gateway.receipt(of('a')?.receipt), {
    door: 'batch',
    tool: 'CHAT',
    model: 'gpt-4o-mini',
    outcome: 'allowed',
    envelope: { target: 'CHAT', args: { model: 'gpt-4o-mini', max_tokens: 9 } },
  })
  t.match(gateway.receipt(of('b')?.receipt), { tool: 'MESSAGES', model: 'claude-x' })
}

async function refusedModels(t: Test, gateway: TestGateway) {
  const narrow = gateway.mint('tools = CHAT,MESSAGES', 'model = gpt-4o-*')
  const { of } = await resultsOf(gateway, narrow, [
    { key: 'usual', input: 'x' },
    { key: 'named', model: 'gpt-4o-2', input: 'x' },
    { key: 'other', model: 'gpt-5', input: 'x' },
    { key: 'claude', model: 'claude-x', input: 'x' },
    { key: 'unknown', model: 'llama-3', input: 'x', label: 'mine' },
  ])
  t.strictSame([of('usual')?.ok, of('named')?.ok], [true, true])
  t.equal(codeOf(of('other')), 'model_not_granted')
  t.equal(codeOf(of('claude')), 'model_not_granted')
  t.match(of('unknown'), {
    label: 'mine',
    status: 404,
    error: { code: 'not_found', reasons: [{ axis: 'model', repair: /models\.table/ }] },
  })
  t.match(gateway.receipt(of('unknown')?.receipt), { outcome: 'refused', code: 'not_found' })
  t.equal(seen.length, 2, 'what is refused is not sent')
  const others = gateway.mint('tools = MESSAGES')
  t.equal(codeOf((await resultsOf(gateway, others, [{ input: 'x' }])).of('0')), 'tool_not_granted')
}

async function jsonTexts(t: Test, gateway: TestGateway, token: string) {
  const { text, of } = await resultsOf(gateway, token, [
    { key: 'a', input: 'json', json: true },
    { key: 'b', input: 'fence', json: true },
    { key: 'c', input: 'plain', json: true },
    { key: 'd', input: 'json' },
    { key: 'e', input: { $from: 'a.a.0' } },
  ])
  t.match(text, '"output":{"a":[1,12345678901234567890]}')
  t.same(of('b')?.output, { b: true })
  t.match(of('c'), {
    ok: false,
    status: 200,
    finish_reason: 'stop',
    usage: { output_tokens: 7 },
    error: { code: 'upstream_invalid', reasons: [{ axis: 'json' }] },
  })
  t.equal(of('d')?.output, TEXTS['json'])
  t.equal(of('e')?.output, 'gpt-4o-mini: 1')
}

async function inTime(t: Test, gateway: TestGateway, token: string) {
  const calls = [
    { key: 'slow', input: 'slow' },
    { key: 'fast', input: 'fast' },
  ]
  const answer = await post(gateway, token, calls, 'text/event-stream')
  const came: string[] = []
  for await (const chunk of answer.body ?? []) {
    came.push(
      ...(Buffer.from(chunk)
        .toString()
        .match(/(?<=^data: ).*/gm) ?? []),
    )
    letGo()
  }
  t.match(
    came.map((text) => JSON.parse(text) as Result),
    [
      { key: 'fast', output: 'gpt-4o-mini: fast' },
      { key: 'slow', output: 'gpt-4o-mini: slow' },
    ],
    'the second comes once the first was read',
  )
  const late = [{ key: 'late', input: 'never', timeout_ms: 150 }]
  t.equal(codeOf((await resultsOf(gateway, token, late)).of('late')), 'upstream_timeout')
}
