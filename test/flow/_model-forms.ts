import type { Test } from 'tap'
import type { TestGateway } from '../helpers/gateway.ts'
import { codeOf, post, resultsOf, seen } from './_models.ts'

export async function fanOut(t: Test, gateway: TestGateway, token: string) {
  const { results, of } = await resultsOf(gateway, token, [
    { key: 'many', inputs: ['p {{topic}}', 'q', { $from: 'last' }], n: 2, vars: { topic: 'ä"' } },
    {
      key: 'in',
      system: '{{tone}}',
      input: 'the same',
      vars: { tone: 'calm' },
      label: 'outer',
      calls: [
        {
          key: 'own',
          model: 'gpt-7',
          input: '{{name}} {{tone}}',
          vars: { name: { $from: 'last' } },
        },
        { inputs: ['1', '2'], label: 'inner', vars: { tone: 'loud' } },
        {},
      ],
    },
    { key: 'all', input: { $from: 'in' } },
    { key: 'one', input: { $from: 'in.1.1' } },
    { key: 'wait', input: 'w', with: ['many'] },
    { key: 'last', input: 'list' },
  ])
  t.strictSame(
    results.map(({ key }) => key),
    [
      ...[0, 1, 2, 3, 4, 5].map((at) => `many.${at}`),
      'in.own',
      'in.1.0',
      'in.1.1',
      'in.2',
      'all',
      'one',
      'wait',
      'last',
    ],
  )
  const small = 'gpt-4o-mini: '
  t.strictSame(
    [0, 1, 2, 3, 4, 5].map((at) => of(`many.${at}`)?.output),
    [
      ...Array<string>(2).fill(`${small}p ä"`),
      ...Array<string>(2).fill(`${small}q`),
      ...Array<string>(2).fill(`${small}["x","{{topic}}"]`),
    ],
    'what an answer says is no name of a variable',
  )
  t.match(of('in.own'), { output: 'gpt-7: ["x","{{topic}}"] calm', label: 'outer' })
  t.match(of('in.1.1'), { output: `${small}2`, label: 'inner' })
  t.match(of('in.2'), { output: `${small}the same`, label: 'outer' })
  const systems = seen
    .map(({ body }) => JSON.parse(body).messages)
    .filter((messages) => messages.length > 1)
    .map(([first, last]) => [first.content, last.content])
  t.strictSame(
    systems.sort((one, two) => (one[1] < two[1] ? -1 : 1)),
    [
      ['loud', '1'],
      ['loud', '2'],
      ['calm', '["x","{{topic}}"] calm'],
      ['calm', 'the same'],
    ],
  )
  const list = [of('in.own'), of('in.1.0'), of('in.1.1'), of('in.2')].map((one) => one?.output)
  t.equal(of('all')?.output, `${small}${JSON.stringify(list)}`)
  t.equal(of('one')?.output, `${small}${small}2`)
}

export async function badForms(t: Test, gateway: TestGateway, token: string) {
  const bad: readonly (readonly [form: object, code: string])[] = [
    [{ input: '{{a}} {{b}}', vars: { a: 1 } }, 'malformed_request'],
    [{ input: '{{a}}', vars: { a: 1, b: 2 } }, 'malformed_request'],
    [{ calls: [{ input: '{{a}}' }], vars: { a: 1, b: 2 } }, 'malformed_request'],
    [{ input: 'x', vars: { 'a b': 1 } }, 'malformed_request'],
    [{ input: 'x', vars: { a: { $from: 'nobody' } } }, 'malformed_request'],
    [{ input: 'x', inputs: ['y'] }, 'malformed_request'],
    [{ model: 'gpt-1' }, 'malformed_request'],
    [{ inputs: [] }, 'malformed_request'],
    [{ inputs: ['x', 7] }, 'malformed_request'],
    [{ input: 'x', n: 0 }, 'malformed_request'],
    [{ input: 'x', temperature: 'hot' }, 'malformed_request'],
    [{ input: 'x', max_tokens: 0 }, 'malformed_request'],
    [{ input: 'x', timeout_ms: 0 }, 'malformed_request'],
    [{ input: 'x', top_p: 1 }, 'unknown_field'],
    [{ calls: [{ input: 'x', key: 'a.b' }] }, 'malformed_request'],
    [{ tool: 'CHAT', input: 'x' }, 'unknown_field'],
    [{ input: 'x', with: ['0.y'] }, 'malformed_request'],
  ]
  const { results } = await resultsOf(
    gateway,
    token,
    bad.map(([form], at) => ({ key: `k${at}`, ...form })),
  )
  for (const [at, [form, code]] of bad.entries()) {
    const found = results.filter(({ key }) => key.split('.')[0] === `k${at}`)
    t.ok(
      found.some((one) => codeOf(one) === code),
      JSON.stringify([form, found]),
    )
  }
  t.strictSame(
    seen.map(({ body }) => JSON.parse(body).messages[0].content),
    ['x'],
    'but for the good one of two inputs nothing is sent',
  )
}

export async function counted(t: Test, gateway: TestGateway, token: string) {
  const inputs = Array.from({ length: 50 }, (_, at) => `${at}`)
  const { results } = await resultsOf(gateway, token, [{ key: 'a', inputs, n: 4 }])
  t.equal(results.filter(({ ok }) => ok).length, 200)
  t.equal(new Set(results.map(({ key }) => key)).size, 200)
  const before = seen.length
  const more = [
    [{ inputs, n: 4 }, { input: 'one more' }],
    [{ n: 200, calls: [{ inputs }, { inputs }] }],
    [{ inputs: [...inputs, ...inputs, ...inputs, ...inputs, 'x'] }],
  ]
  for (const calls of more) {
    const answer = await post(gateway, token, calls)
    t.equal(answer.status, 400)
    t.match(await answer.json(), { reasons: [{ axis: 'calls', got: 'more than 200 calls' }] })
  }
  t.equal(seen.length, before)
}
