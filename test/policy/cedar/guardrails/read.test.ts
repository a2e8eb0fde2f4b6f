import t from 'tap'
import { readGuardrails } from '../../../../policy/index.ts'
import { loadFreshCedar } from '../../support.ts'
import { callOf, forbid, guardOf } from './_call.ts'
import { NEVER } from './_never.ts'

const GOOD = forbid('resource.method == "DELETE"')

function problemsOf(text: string) {
  return readGuardrails([{ file: 'g.cedar', text }], loadFreshCedar()).problems
}

/** What is wrong, where, and how it is mended. */
const BAD: Readonly<Record<string, readonly [text: string, path: string, said: RegExp]>> = {
  'broken syntax': [`${GOOD}\nforbid (principal action);`, 'g.cedar:2:19', /unexpected token/],
  'an attribute that is not in the schema': [
    `// é 😀\n${forbid('context.wey == "x"')}`,
    'g.cedar:2:45',
    /`wey` .*not found.*did you mean `way`/,
  ],
  'an optional attribute without its test': [
    forbid('context.models.contains("x")'),
    'g.cedar:1:45',
    /optional attribute `models`.*has models/,
  ],
  'a comparison of two types': [forbid('resource.port == "80"'), 'g.cedar:1:45', /types/],
  'another action': ['forbid (principal, action == Action::"go", resource);', 'g.cedar:1:30', /go/],
  'another entity': ['forbid (principal is User, action, resource);', 'g.cedar:1:22', /User/],
  'a condition that never holds': [forbid('false'), 'g.cedar:1:1', /impossible/],
  'letters of two scripts in one text': [
    forbid('context.way == "pr\u043exy"'),
    'g.cedar:1:60',
    /mixed/,
  ],
  'a permit': [
    `${GOOD}\n\npermit (principal, action, resource);`,
    'g.cedar:3:1',
    /`permit`.*`forbid`/,
  ],
  'a template': [
    `\nforbid (principal == ?principal, action, resource);`,
    'g.cedar:2:1',
    /template.*write the entity/,
  ],
  'an annotation that means nothing': [
    `@advise("x")\n${GOOD}`,
    'g.cedar:1:1',
    /@advise.*use `@id` and/,
  ],
  'an annotation without a text': [`@id\n${GOOD}`, 'g.cedar:1:1', /`@id`.*text.*like @id\(/],
  'an annotation without letters': [`@id("  ")\n${GOOD}`, 'g.cedar:1:1', /`@id`.*text/],
  'an annotation on two lines': [`@advice("a\\nb")\n${GOOD}`, 'g.cedar:1:1', /`@advice`/],
  'a file without a policy': ['// nothing yet\n', 'g.cedar:1:1', /no policy.*off the list/],
  'a file that is too long': [
    `// ${'x'.repeat(262_144)}\n${GOOD}`,
    'g.cedar:1:1',
    /262144.*several files/,
  ],
  'a condition that is nested too deep': [
    forbid(`${'('.repeat(5000)}true${')'.repeat(5000)}`),
    'g.cedar:1:1',
    /cannot read.*nest less/,
  ],
  'an address that does not parse': [forbid('ip("x").isLoopback()'), 'g.cedar:1:45', /IP address/],
}

for (const [name, [text, path, said]] of Object.entries(BAD)) {
  t.test(`${name} is refused`, async (t) => {
    const [first, ...others] = problemsOf(text).filter((problem) => problem.path === path)
    t.match(`${first?.got}; ${first?.repair}`, said, JSON.stringify(problemsOf(text)))
    t.notMatch(JSON.stringify([first, others]), /policy\d/, 'names of the engine’s own')
    t.same(readGuardrails([{ file: 'g.cedar', text }], loadFreshCedar()).guardrails, [])
  })
}

t.test('all problems of all files are told at once', async (t) => {
  const files = [
    { file: 'a.cedar', text: `@id("one")\n${GOOD}\n${forbid('context.x == 1')}` },
    { file: 'b.cedar', text: `\n\n@id("one")\n${GOOD}\n${forbid('resource.y')}` },
    { file: 'c.cedar', text: `@id("one")\n${GOOD}` },
  ]
  const { guardrails, problems } = readGuardrails(files)
  t.same(guardrails, [])
  t.strictSame(
    problems.map(({ path }) => path),
    ['a.cedar:3:45', 'b.cedar:5:45', 'b.cedar:3', 'c.cedar:1'],
  )
  t.match(problems[2], { got: 'a second guardrail `one`', repair: /a\.cedar:1/ })
})

t.test('each policy has its own line, however many there are', async (t) => {
  const text = Array.from(
    { length: 25 },
    (_, at) => `// ${at} é\n${forbid(`resource.port == ${at}`)}\n`,
  ).join('\n')
  const { guardrails, problems } = readGuardrails([{ file: 'g.cedar', text }])
  t.same(problems, [])
  t.strictSame(
    guardrails.map(({ place }) => place),
    guardrails.map((_, at) => `g.cedar:${at * 3 + 2}`),
  )
  t.strictSame(
    guardrails.map(({ text }) => /== (\d+)/.exec(text)?.[1]),
    guardrails.map((_, at) => String(at)),
  )
})

t.test('what is told of one policy or file is told once', async (t) => {
  const pathsOf = (...texts: readonly string[]) =>
    readGuardrails(texts.map((text, at) => ({ file: `${at}.cedar`, text }))).problems.map(
      ({ path }) => path,
    )
  const template = 'forbid (principal == ?principal, action, resource);'
  t.strictSame(pathsOf(`${GOOD}\n${template}`), ['0.cedar:2:1'])
  const long = 'x'.repeat(262_145)
  t.strictSame(pathsOf(long, long), ['0.cedar:1:1', '1.cedar:1:1'])
  t.strictSame(pathsOf('forbid', 'forbid'), ['0.cedar:1:7', '1.cedar:1:7'])
  t.strictSame(pathsOf('forbid (a b);\nforbid (c d);'), ['0.cedar:1:11', '0.cedar:2:11'])
})

t.test('the longest file is read, and the same policy twice has two places', async (t) => {
  const text = `${GOOD}\n${GOOD}\n`
  const { guardrails, problems } = readGuardrails([
    { file: 'g.cedar', text: `${text}// ${'x'.repeat(262_144 - text.length - 3)}` },
  ])
  t.same(problems, [])
  t.strictSame(
    guardrails.map(({ place }) => place),
    ['g.cedar:1', 'g.cedar:2'],
  )
})

t.test('the engine’s names of policies are not told, however many there are', async (t) => {
  const many = Array.from({ length: 12 }, (_, at) => forbid(`resource.port == ${at}`))
  const [problem] = problemsOf([...many, forbid('resource.y')].join('\n'))
  t.equal(problem?.path, 'g.cedar:13:45')
  t.match(problem?.got, /^attribute `y`/)
})

t.test('a guardrail is called by its id, else by its place', async (t) => {
  const text = `@id("no-delete")\n@advice("ask ops")\n${GOOD}\n${forbid('resource.port == 1')}`
  const { guardrails } = readGuardrails([{ file: './g.cedar', text }])
  t.match(guardrails, [
    { name: 'no-delete', place: './g.cedar:1', advice: 'ask ops' },
    { name: './g.cedar:4', place: './g.cedar:4', advice: undefined },
  ])
})

t.test('a text that ends one instance is refused, and the next instance reads on', async (t) => {
  const deep = forbid(Array.from({ length: 5000 }, () => 'context.way == "x"').join(' && '))
  t.match(problemsOf(deep), [{ path: 'g.cedar:1:1' }])
  t.same(problemsOf(GOOD), [])
})

const CHAINS: Readonly<Record<string, (length: number) => string>> = {
  and: (length) => Array.from({ length }, () => 'context.way != "proxy"').join(' && '),
  or: (length) => Array.from({ length }, () => 'context.way == "proxy"').join(' || '),
  not: (length) => `${'!('.repeat(length)}context.way == "proxy"${')'.repeat(length)}`,
  if: (length) =>
    `${'if context.way == "mount" then true else '.repeat(length)}context.way == "proxy"`,
}

for (const [name, chain] of Object.entries(CHAINS)) {
  t.test(`what is read can be evaluated: a chain of ${name}`, async (t) => {
    t.same(problemsOf(forbid(chain(60))), [])
    const guard = guardOf(forbid(chain(60)))
    t.notMatch(JSON.stringify(guard.against(callOf())), /no verdict/)
    t.match(problemsOf(forbid(chain(65))), [
      { path: 'g.cedar:1:1', got: /nested/, repair: /^ask a set with/ },
    ])
    t.match(problemsOf(forbid(chain(95))), [{ path: 'g.cedar:1:1' }])
  })
}

t.test(
  'a text that no call can hold is refused where it is compared, one that fits is not',
  async (t) => {
    const fileOf = (conditions: readonly string[]) => conditions.map(forbid).join('\n')
    t.same(problemsOf(fileOf(NEVER.map(([, sometimes]) => sometimes))), [])
    const problems = problemsOf(fileOf(NEVER.map(([never]) => never)))
    t.same(
      new Set(problems.map(({ path }) => path)),
      new Set(NEVER.map((_, at) => `g.cedar:${at + 1}:1`)),
    )
    t.same(
      problems.filter(({ got }) => !/ as a /.test(got)),
      [],
    )
    const scope = (host: string) => `forbid (principal, action, resource in Host::"${host}");`
    t.match(problemsOf(scope('API.github.com')), [{ got: '"API.github.com" as a host' }])
    t.same(problemsOf(scope('api.github.com')), [])
    t.match(
      problemsOf(
        forbid('resource.host == "A" || resource.method == "get" || resource.host == "A"'),
      ),
      [{ got: '"A" as a host' }, { got: '"get" as a method' }],
      'each is told, once',
    )
  },
)
