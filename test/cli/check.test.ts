import t from 'tap'
import { run } from './in-process.ts'

t.test('a good configuration, or none, is ok', async (t) => {
  const none = await run(['check'], { cwd: t.testdir() })
  t.equal(none.exit, 0, none.stdout)
  t.match(none.stderr, /the defaults/)
  const good = await run(['check'], {
    cwd: t.testdir({ 'narrowgate.yaml': 'log: { level: warn }\n' }),
  })
  t.equal(good.exit, 0, good.stdout)
})

t.test('all problems come at once, one per line, with path, got and repair', async (t) => {
  const text = 'lisen: {}\nlog: { level: loud }\nupstreams:\n  - name: a\n    hosts: ["bad host"]\n'
  const cwd = t.testdir({ 'narrowgate.yaml': text })
  const ran = await run(['check'], { cwd })
  t.equal(ran.exit, 1)
  const lines = ran.stdout.trimEnd().split('\n')
  t.ok(lines.length >= 3, ran.stdout)
  for (const path of ['lisen', 'log.level', 'upstreams[0].hosts[0]']) {
    t.ok(
      lines.some((line) => line.startsWith(`${path}: got `) && line.includes('; ')),
      path,
    )
  }
  const { ok, problems } = JSON.parse((await run(['check', '--json'], { cwd })).stdout)
  t.equal(ok, false)
  t.equal(problems.length, lines.length)
})

t.test('a secret that is missing is a problem too', async (t) => {
  const key = {
    name: 'k',
    secret: { env: 'NG_NOT_SET' },
    header: 'authorization',
    format: 'Bearer {}',
  }
  const config = { upstreams: [{ name: 'a', hosts: ['a.test'], keys: [key] }] }
  const ran = await run(['check'], {
    cwd: t.testdir({ 'narrowgate.yaml': JSON.stringify(config) }),
  })
  t.equal(ran.exit, 1)
  t.match(ran.stdout, /^upstreams\[0\]\.keys\[0\]\.secret: got .*NG_NOT_SET/)
})

t.test('guardrails are validated, with file, line and column', async (t) => {
  const cwd = t.testdir({
    'narrowgate.yaml': 'guardrails: { files: [./g.cedar] }\n',
    'g.cedar': '// one\nforbid (principal, action, resource) when { context.nope };\n',
  })
  const { exit, stdout } = await run(['check'], { cwd })
  t.equal(exit, 1)
  t.match(stdout, /^\.\/g\.cedar:2:45: got attribute `nope` .* not found.*; \S/m)
})
