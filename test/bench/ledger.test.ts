import t, { type Test } from 'tap'
import { ROOT, runPlain, textOf } from '../rules/tree.ts'

/** As short as it can be: the figures say nothing, and nothing here looks at them. */
const SHORT = {
  NARROWGATE_BENCH_SECONDS: '0.5',
  NARROWGATE_BENCH_ROUNDS: '0.2',
  NARROWGATE_BENCH_WARM_UP: '0.5',
  NARROWGATE_BENCH_CONNECTIONS: '10',
}
const PROGRAM = 'dist/bench/ledger/run.js'

const bench = (...args: readonly string[]) =>
  runPlain([process.execPath, PROGRAM, ...args], { cwd: ROOT, env: SHORT })

/** Every row with a figure or a ratio, by its name and what it is against. */
async function assertRows(t: Test, args: readonly string[], rows: readonly RegExp[]) {
  const { exit, stdout, stderr } = bench(...args)
  const skipped = /^SKIP (.*)$/m.exec(stdout)?.[1]
  if (skipped !== undefined) await t.test('rows of PostgreSQL', { skip: skipped }, async () => {})
  t.ok(exit === 0 || exit === 1, `exit ${exit}\n${stderr}`)
  t.match(stdout, /^name +value unit +floor +against$/m)
  for (const row of rows) {
    if (skipped !== undefined && /PostgreSQL|gateway RSS|drained/.test(row.source)) continue
    t.match(stdout, row)
  }
  t.equal(exit === 1, /^.* MISSED .*$/m.test(stdout), `the exit code says what the floors say`)
}

const row = (name: string, rest: string) => new RegExp(`^${name} +[\\d.]+ ${rest}$`, 'm')

t.test('durable receipts and modes: answers and what was kept are checked, and have rows', (t) => {
  const floored = ['better-sqlite3 \\(FULL\\)', 'PostgreSQL, multi-row insert']
  const shown = [
    'segment log, intent and outcome',
    'better-sqlite3 \\(FULL\\), in groups',
    'bare NDJSON, fdatasync',
  ]
  const own = 'durable: segment log, strict'
  return assertRows(
    t,
    ['durable', 'modes'],
    [
      row(own, 'receipts/s +– +10 waiting callers'),
      ...[...floored, ...shown].map((name) =>
        row(`durable: ${name}`, 'receipts/s +– +10 waiting callers'),
      ),
      ...floored.map((name) => row(own, `× +2 (held|MISSED) +${name}`)),
      ...shown.map((name) => row(own, `× +– +${name}`)),
      ...['requests', 'p50'].flatMap((what) => [
        row(`gateway, best-effort: ${what}`, '(ms|requests/s) +– +10 connections'),
        row(`gateway, strict: ${what}`, '× +– +gateway, best-effort'),
      ]),
    ],
  )
})

t.test('p95 by tool is as reckoned by hand; a backlog is drained once the database is there', (t) =>
  assertRows(
    t,
    ['figures', 'memory', '--rows', '700'],
    [
      ...['embedded', 'PostgreSQL'].flatMap((name) => [
        row(`taken over, ${name}`, 'receipts/s +– +700 receipts'),
        row(`p95 by tool, ${name}`, 'ms +– +700 receipts'),
      ]),
      row('gateway RSS, empty log', 'MiB +–'),
      row('gateway RSS, backlog', 'MiB +– +700 receipts'),
      row('gateway RSS, backlog, peak', '× +– +gateway RSS, empty log, peak'),
      row('drained by the gateway', 'receipts/s +– +700 receipts'),
    ],
  ),
)

t.test('what the bench does not know is refused', async (t) => {
  const stray = bench('figurse')
  t.equal(stray.exit, 1)
  t.match(stray.stderr, 'part: got `figurse`, name some of durable, figures, memory, modes')
  const none = bench('--rows', 'many')
  t.equal(none.exit, 1)
  t.match(none.stderr, '--rows: got `many`, give a whole number above 0')
})

t.test('`npm run bench:ledger` is this program', async (t) => {
  t.ok(JSON.parse(textOf('package.json')).scripts['bench:ledger'].endsWith(`node ${PROGRAM}`))
})
