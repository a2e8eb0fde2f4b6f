import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openLab } from './lab.ts'
import { cleanEnv, start } from './process.ts'

t.test('the ledger on the command line', async (t) => {
  const lab = await openLab((end) => t.teardown(end))
  const call = (task: string, ...flags: readonly string[]) =>
    lab.spawn(['run', '--tools', 'HTTP_GET', '--task', task, '--', 'node', 'client.mjs', ...flags])
  await call('T-1/a', 'https://api.demo.test/ping')
  await call('T-2', '-X', 'DELETE', 'https://api.demo.test/ping')
  const list = async (...flags: readonly string[]) =>
    JSON.parse((await lab.run(['ledger', 'list', '--json', ...flags])).stdout)

  await t.test('list filters by task, tool, outcome, grant and time', async (t) => {
    const all = await list()
    t.equal(all.length, 2)
    t.equal(all[0].outcome, 'refused', 'the latest first')
    t.equal((await list('--task', 'T-1')).length, 1, 'a task covers its sub-tasks')
    t.equal((await list('--tool', 'HTTP_DELETE')).length, 1)
    t.equal((await list('--outcome', 'allowed')).length, 1)
    t.equal((await list('--grant', all[0].grant)).length, 1)
    t.equal((await list('--since', '1h')).length, 2)
    t.equal((await list('--since', '2999-01-01')).length, 0)
    t.equal((await list('--limit', '1')).length, 1)
  })

  await t.test('the table is for people', async (t) => {
    const { stdout } = await lab.run(['ledger', 'list'])
    t.match(stdout, /^OPENED .*OUTCOME .*RECEIPT\n/)
    t.match(stdout, /refused +tool_not_granted +HTTP_DELETE +DELETE +https:\/\/api\.demo\.test/)
  })

  await t.test('show prints one whole, and 1 where there is none', async (t) => {
    const [{ id }] = await list()
    const shown = await lab.run(['ledger', 'show', id])
    t.equal(JSON.parse(shown.stdout).id, id)
    t.equal((await lab.run(['ledger', 'show', 'no-such-id'])).exit, 1)
  })

  await t.test('tail follows, and SIGINT ends it with 0', async (t) => {
    const env = cleanEnv({ NARROWGATE_STATE: lab.state })
    const tail = start(['ledger', 'tail', '--json'], { cwd: lab.folder, env })
    const lines: string[] = []
    let rest = ''
    tail.stdout?.on('data', (chunk) => {
      const parts = `${rest}${String(chunk)}`.split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
      if (lines.length === 2 && parts.length > 0) void call('T-3', 'https://api.demo.test/me')
      if (lines.length === 3) tail.kill('SIGINT')
    })
    const exit = await new Promise((resolve) => tail.once('close', resolve))
    t.equal(exit, 0)
    t.strictSame(
      lines.map((line) => JSON.parse(line).task),
      ['T-1/a', 'T-2', 'T-3'],
      'in the order of the ledger',
    )
  })

  await t.test('verify passes, finds a head, and finds damage', async (t) => {
    const good = await lab.run(['ledger', 'verify', '--json'])
    t.equal(good.exit, 0, good.stdout)
    const { head } = JSON.parse(good.stdout)
    t.equal((await lab.run(['ledger', 'verify', '--head', head])).exit, 0)
    const unknown = await lab.run(['ledger', 'verify', '--head', 'ab'.repeat(32)])
    t.equal(unknown.exit, 1)
    t.match(unknown.stdout, /not on the chain/)

    const copy = join(t.testdir(), 'copy')
    cpSync(join(lab.state, 'ledger'), copy, { recursive: true })
    const segment = readdirSync(copy, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.ndlog'),
    )
    const file = join(copy, String(segment))
    writeFileSync(file, readFileSync(file, 'utf8').replace('HTTP_DELETE', 'HTTP_DELETF'))
    const bad = await lab.run(['ledger', 'verify', copy])
    t.equal(bad.exit, 1)
    t.match(bad.stdout, /edited .*record \d+ at byte \d+/)
  })
})
