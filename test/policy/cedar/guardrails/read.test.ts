import t from 'tap'
import { readGuardrails } from '../../../../policy/index.ts'
import { loadFreshCedar } from '../../support.ts'
import { callOf, forbid, guardOf } from './_call.ts'

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
    /template/,
  ],
  'an annotation that means nothing': [`@advise("x")\n${GOOD}`, 'g.cedar:1:1', /@advise/],
  'an annotation without a text': [`@id\n${GOOD}`, 'g.cedar:1:1', /`@id`.*text/],
  'an annotation on two lines': [`@advice("a\\nb")\n${GOOD}`, 'g.cedar:1:1', /`@advice`/],
  'a file without a policy': ['// nothing yet\n', 'g.cedar:1:1', /no policy/],
  'a file that is too long': [`// ${'x'.repeat(262_144)}\n${GOOD}`, 'g.cedar:1:1', /262144/],
  'a condition that is nested too deep': [
    forbid(`${'('.repeat(5000)}true${')'.repeat(5000)}`),
    'g.cedar:1:1',
    /cannot read/,
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
  t.match(problems[2]?.repair, /a\.cedar:1/)
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
    t.match(problemsOf(forbid(chain(65))), [{ path: 'g.cedar:1:1', got: /nested/ }])
    t.match(problemsOf(forbid(chain(95))), [{ path: 'g.cedar:1:1' }])
  })
}

/** Conditions of which no call could ever fulfil the comparison, each with one beside it that a call can. */
const NEVER = [
  ['resource.host == "API.github.com"', 'resource.host == "api.github.com"'],
  ['resource.host == "bücher.test"', 'resource.host == "xn--bcher-kva.test"'],
  ['"a.test." == resource.host', '"a.test" == resource.host'],
  ['resource.host == "a.test:443"', 'resource.host == "a_b.test"'],
  ['resource.host == "https://a.test"', 'resource.host == "localhost"'],
  ['resource.host == "127.1"', 'resource.host == "127.0.0.1"'],
  ['resource.host == "256.0.0.1"', 'resource.host == "255.0.0.1"'],
  ['resource.host == "[::1]"', 'resource.host == "::1"'],
  ['resource.host == "2001:DB8::1"', 'resource.host == "2001:db8::1"'],
  ['resource.host == "0:0:0:0:0:0:0:1"', 'resource.host == "2001:0:0:1::1"'],
  ['resource.host == "::ffff:7f00:01"', 'resource.host == "::ffff:127.0.0.1"'],
  ['resource.host == ""', 'resource.host != "a.test"'],
  ['resource.host != "A.test"', 'resource["host"] != "a.test"'],
  ['["a.test", "B.test"].contains(resource.host)', '["a.test", "b.test"].contains(resource.host)'],
  ['["B.test"] == [resource.host]', '["b.test"] == [resource.host]'],
  [
    'resource.host == (if resource.generic then "a.test" else "B.test")',
    'resource.host == (if resource.generic then "a.test" else "b.test")',
  ],
  ['resource.host like "*.GitHub.com"', 'resource.host like "*.github.com"'],
  ['resource.host like "*.test."', 'resource.host like "*.test"'],
  ['resource.host like ".a*"', 'resource.host like "a.*"'],
  ['resource.host like "bücher.*"', 'resource.host like "*:*"'],
  ['resource in Host::"A.test"', 'resource in Host::"a.test"'],
  ['resource in [Host::"a.test", Host::"B.test"]', 'resource in [Host::"a.test", Host::"b.test"]'],
  ['resource is Tool in Host::"A.test"', 'resource is Tool in Host::"a.test"'],
  ['resource.method == "delete"', 'resource.method == "DELETE"'],
  ['resource.method like "de*"', 'resource.method like "*E*"'],
  ['["GET", "post"].contains(resource.method)', '["GET", "POST"].contains(resource.method)'],
  ['resource.scheme == "HTTPS"', 'resource.scheme == "https"'],
  ['resource.scheme like "ws*"', 'resource.scheme like "http*"'],
  ['context.way == "proxi"', 'context.way == "proxy"'],
  ['context.way like "prox"', 'context.way like "prox*"'],
  ['context.path like "/Admin%20*"', 'context.path like "/Admin *"'],
  ['context.path like "admin*"', 'context.path like "*admin*"'],
  ['context.path like "*/../*"', 'context.path like "*/.well-known/*"'],
  ['context.path like "/a//b*"', 'context.path like "/a*/b"'],
  ['context.path == "a"', 'context.path == ""'],
  ['context.path == "/a/../b"', 'context.path == "/a/..b"'],
  ['context.path == "/%61"', 'context.path == "/100%"'],
  [
    'context has paths && context.paths.contains("/a/../b")',
    'context has paths && context.paths.contains("/b")',
  ],
  [
    'context has paths && context.paths.containsAny(["/a", "/b/"])',
    'context has paths && ["/a", "b"].containsAll(context.paths)',
  ],
] as const

t.test(
  'a text that no call can hold is refused where it is compared, one that fits is not',
  async (t) => {
    for (const [never, sometimes] of NEVER) {
      t.match(problemsOf(`\n${forbid(never)}`), [{ path: 'g.cedar:2:1', got: / as a / }], never)
      t.same(problemsOf(forbid(sometimes)), [], sometimes)
    }
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
