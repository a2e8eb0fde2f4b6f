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
  const skipped = /^SKIP .*$/m.exec(stdout)?.[0]
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

t.test('durable receipts: all contenders keep what they were given, and have a row', (t) => {
  const contenders = [
    'segment log, strict',
    'segment log, intent and outcome',
    'better-sqlite3, an insert each',
    'better-sqlite3, in groups',
    'PostgreSQL, multi-row insert',
    'bare NDJSON, fdatasync',
  ]
  const floors = contenders.filter((name) => /^(better|Postgre)/.test(name))
  return assertRows(
    t,
    ['durable'],
    [
      ...contenders.map((name) =>
        row(`durable: ${name}`, 'receipts/s +–         10 waiting callers'),
      ),
      ...floors.map((name) => row('durable: segment log, strict', `× +2 (held|MISSED) +${name}`)),
    ],
  )
})

t.test('p95 by tool: both back ends give the figures that were reckoned by hand', (t) =>
  assertRows(
    t,
    ['figures', '--rows', '700'],
    ['embedded', 'PostgreSQL'].flatMap((name) => [
      row(`taken over, ${name}`, 'receipts/s +– +700 receipts'),
      row(`p95 by tool, ${name}`, 'ms +– +700 receipts'),
    ]),
  ),
)

t.test('a backlog stands in a gateway’s way, and is drained when the database is there', (t) =>
  assertRows(
    t,
    ['memory', '--rows', '700'],
    [
      row('gateway RSS, empty log', 'MiB +–'),
      row('gateway RSS, backlog', 'MiB +– +700 receipts'),
      row('gateway RSS, backlog, peak', '× +– +gateway RSS, empty log, peak'),
      row('drained by the gateway', 'receipts/s +– +700 receipts'),
    ],
  ),
)

t.test('the whole gateway, strict and best-effort', (t) =>
  assertRows(
    t,
    ['modes'],
    ['requests', 'p50'].flatMap((what) => [
      row(`gateway, best-effort: ${what}`, '(ms|requests/s) +– +10 connections'),
      row(`gateway, strict: ${what}`, '× +– +gateway, best-effort'),
    ]),
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
