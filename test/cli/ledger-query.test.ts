import t from 'tap'
import { openLab } from './lab.ts'

t.test('questions on the command line', async (t) => {
  const lab = await openLab((end) => t.teardown(end))
  const call = (task: string, ...flags: readonly string[]) =>
    lab.spawn(['run', '--tools', 'HTTP_GET', '--task', task, '--', 'node', 'client.mjs', ...flags])
  await call('T-1/a', 'https://api.demo.test/ping')
  await call('T-1/b', 'https://api.demo.test/ping')
  await call('T-2', '-X', 'DELETE', 'https://api.demo.test/ping')
  const query = (...terms: readonly string[]) => lab.run(['ledger', 'query', ...terms])
  const json = async (...terms: readonly string[]) =>
    JSON.parse((await query(...terms, '--json')).stdout) as Record<string, unknown>

  await t.test('rows, groups and pages as JSON', async (t) => {
    t.match(await json('exchanges', 'outcome=refused', 'since=1h'), {
      view: 'exchanges',
      rows: [{ tool: 'HTTP_DELETE', task: 'T-2', code: 'tool_not_granted' }],
      next: null,
      lag: 0,
    })
    t.match(await json('exchanges', 'by=run', 'order=by.run'), {
      figures: [
        { by: { run: 'T-1' }, count: 2 },
        { by: { run: 'T-2' }, count: 1 },
      ],
    })
    const first = await json('exchanges', 'order=task', 'limit=2', 'select=task')
    t.match(first, { rows: [{ task: 'T-1/a' }, { task: 'T-1/b' }], next: String })
    const cursor = `cursor=${String(first['next'])}`
    t.match(await json('exchanges', 'order=task', 'limit=2', 'select=task', cursor), {
      rows: [{ task: 'T-2' }],
      next: null,
    })
    t.match(await json('tasks', 'q={"where":{"refused":{"gte":1}},"select":["task"]}'), {
      rows: [{ task: 'T-2' }],
    })
  })

  await t.test('a table for people, and one for spreadsheets', async (t) => {
    const rows = await query('exchanges', 'limit=1')
    t.match(rows.stdout, /^OPENED +OUTCOME +CODE .*\n\S+ +refused +tool_not_granted /)
    t.match(rows.stderr, /there is more: cursor=\S+/)
    const groups = await query('exchanges', 'by=tool', 'count=true', 'p95=status', 'order=by.tool')
    t.match(groups.stdout, /^TOOL +COUNT +P95\.STATUS\nHTTP_DELETE +1 +-\nHTTP_GET +2 +200\n$/)
    const csv = await query(
      'exchanges',
      'by=tool',
      'count=true',
      'p95=status',
      'order=by.tool',
      '--csv',
    )
    t.equal(csv.stdout, 'tool,count,p95.status\r\nHTTP_DELETE,1,\r\nHTTP_GET,2,200\r\n')
    const fields = await query('tasks', 'select=task,calls', 'order=task', '--csv')
    t.equal(fields.stdout, 'task,calls\r\nT-1/a,1\r\nT-1/b,1\r\nT-2,1\r\n')
    t.match(await query('turns'), { exit: 0, stdout: '', stderr: /nothing matches/ })
  })

  await t.test('what is wrong is said, with exit 2', async (t) => {
    for (const [terms, said] of [
      [['nothing'], /view: got `nothing`/],
      [['exchanges', 'outcome'], /term: got `outcome`/],
      [['exchanges', 'toool=x'], /toool: got/],
      [['exchanges', 'since=yesterday'], /since: got `yesterday`/],
      [['exchanges', 'order=nope'], /order\[0\]: got nope/],
      [['exchanges', '--csv', '--json'], /both/],
    ] as const) {
      const { exit, stderr } = await query(...terms)
      t.equal(exit, 2, terms.join(' '))
      t.match(stderr, said)
    }
  })

  await t.test('plain words, and what they were taken for', async (t) => {
    const asked = await lab.run(['ledger', 'ask', 'refused', 'calls', 'by', 'task', 'with', 'hats'])
    t.equal(asked.exit, 0)
    t.match(asked.stdout, /^TASK +COUNT\nT-2 +1\n$/)
    t.match(asked.stderr, /understood as exchanges \{.*"by":\["task"\]/)
    t.match(asked.stderr, /not understood: hats/)
    const { stdout } = await lab.run(['ledger', 'ask', 'calls to demo today', '--json'])
    t.match(JSON.parse(stdout), {
      understood: { view: 'exchanges' },
      not_understood: [],
      rows: [{}, {}, {}],
    })
  })
})
