import t from 'tap'
import { combineWant, parseWant } from '../../../catalog/index.ts'

t.test('a want is a select list or an object', async (t) => {
  t.same(parseWant('number, title,user.login'), {
    ok: true,
    want: { select: ['number', 'title', 'user.login'] },
  })
  const want = {
    where: { a: { in: [1] } },
    select: ['-a'],
    order: ['-b'],
    page: { limit: 1 },
    want: { shape: 'count' },
  }
  t.same(parseWant(` ${JSON.stringify(want)}`), { ok: true, want })
})

t.test('what is wrong is said, all at once and with its place', async (t) => {
  const problems = (text: string) => {
    const parsed = parseWant(text)
    return parsed.ok ? [] : parsed.problems.map(({ code, path }) => `${code} ${path}`)
  }
  t.same(
    problems(
      '{"selec":[],"where":{"a":{"like":1},"b":[1]},"page":{"limit":0,"size":1},"want":{"shape":"x"}}',
    ),
    [
      'unknown_field selec',
      'unknown_field where.a.like',
      'malformed_request where.b',
      'malformed_request page.limit',
      'unknown_field page.size',
      'malformed_request want.shape',
    ],
  )
  const bad = [
    '',
    'a,',
    'a..b',
    'a[',
    'a[0]',
    '{',
    '{"select":"a"}',
    '{"order":["*"]}',
    '{"where":{"a.*":1}}',
    '[]',
    'a\u0000',
    `{"where":${'{"not":'.repeat(30)}{}${'}'.repeat(31)}`,
    '{"want":{"format":"csv"}}',
    '{"select":["*"],"want":{"format":"csv"}}',
    '{"want":{"format":"ndjson","shape":"count"}}',
  ]
  for (const text of bad) t.equal(parseWant(text).ok, false, text)
})

t.test('what was asked takes the place of the default, and the ceiling stays', async (t) => {
  const byDefault = { select: ['a'] }
  t.same(combineWant(byDefault, ['b'], undefined), { want: byDefault, only: ['b'] })
  t.same(combineWant(byDefault, ['b'], { select: ['*'] }), { want: { select: ['*'] }, only: ['b'] })
  t.same(combineWant(undefined, ['b'], undefined), { want: {}, only: ['b'] })
  t.equal(combineWant(undefined, undefined, undefined), undefined)
})
