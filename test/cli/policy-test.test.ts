import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { shell } from '../../cli/lab/shell.ts'
import { openLab } from './lab.ts'
import { run } from './in-process.ts'
import { cleanEnv } from './process.ts'

t.test('receipts of a gateway are replayed', async (t) => {
  const lab = await openLab((end) => t.teardown(end))
  const { stdout: token } = await lab.run(['grant', 'mint', '--tools', 'HTTP_GET'])
  const { stdout: script } = await lab.run(['env', '--token', token.trimEnd()])
  for (const path of ['ping', 'orders'])
    await shell(`${script}\nnode client.mjs https://api.demo.test/${path}`, {
      cwd: lab.folder,
      env: cleanEnv(),
    })
  const { stdout: list } = await lab.run(['ledger', 'list', '--json'])
  const id = (path: string): string =>
    JSON.parse(list).find(({ upstream }: { upstream: { url: string } }) =>
      upstream.url.endsWith(path),
    )?.id
  const put = (name: string, text: string) => writeFileSync(join(lab.folder, name), text)
  put('receipts.json', list)
  put(
    'new.cedar',
    '@advice("use another") forbid (principal, action, resource) when { context.path == "/ping" };',
  )
  const fixtures = (expect: string) => `
file: ./receipts.json
policy:
  guardrails: [./new.cedar]
expect:
  - { receipt: ${id('/ping')}, is: ${expect} }
  - { receipt: ${id('/orders')}, is: allowed }
`
  put('good.yaml', fixtures('guardrail'))
  put('bad.yaml', fixtures('allowed'))

  await t.test('what changes is shown, and what was expected holds', async (t) => {
    const { exit, stdout, stderr } = await lab.run(['policy', 'test', 'good.yaml'])
    t.equal(exit, 0, stdout + stderr)
    t.match(
      stdout,
      /^BEFORE +AFTER +TOOL +METHOD +URL +RECEIPT\nallowed +guardrail +HTTP_GET +GET +https:\/\/api\.demo\.test\/ping +\S+$/m,
    )
    t.match(stdout, /got HTTP_GET on api\.demo\.test; use another$/m)
    t.notMatch(stdout, '/orders')
    t.match(stderr, /^2 replayed, 1 changed, 0 skipped, 0 broken$/m)
  })

  await t.test('an expectation that is broken is 1', async (t) => {
    const { exit, stdout } = await lab.run(['policy', 'test', 'bad.yaml'])
    t.equal(exit, 1)
    t.match(stdout, new RegExp(`^broken {2}${id('/ping')}: expected allowed, got guardrail$`, 'm'))
  })

  await t.test('as JSON, every receipt', async (t) => {
    const { stdout } = await lab.run(['policy', 'test', 'good.yaml', '--json'])
    t.match(JSON.parse(stdout), { replayed: [{}, {}], skipped: [], broken: [] })
  })
})

t.test('fixtures that are wrong are 2, all problems at once', async (t) => {
  const cwd = t.testdir({ 'f.yaml': 'polcy: 1\nexpect: [{ receipt: x }]\n' })
  const { exit, stderr } = await run(['policy', 'test', 'f.yaml'], { cwd })
  t.equal(exit, 2)
  for (const path of ['polcy', 'policy', 'expect[0].is']) t.match(stderr, `  ${path}: got `)
  t.equal((await run(['policy', 'test', 'none.yaml'], { cwd })).exit, 2)
})
