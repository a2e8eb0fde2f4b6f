import t from 'tap'
import { CONTESTANTS } from '../../bench/config.ts'
import { ROOT, runPlain, textOf } from '../rules/tree.ts'

/** A run as short as it can be: its figures say nothing, and nothing here looks at them. */
const SHORT = {
  NARROWGATE_BENCH_SECONDS: '1',
  NARROWGATE_BENCH_ROUNDS: '1',
  NARROWGATE_BENCH_WARM_UP: '0.5',
  NARROWGATE_BENCH_CONNECTIONS: '10',
}

const bench = (env: Readonly<Record<string, string>>) =>
  runPlain([process.execPath, 'dist/bench/run.js'], { cwd: ROOT, env })

await t.test(
  'a short run checks the answers of all and prints table, ratios and floors',
  async (t) => {
    const { exit, stdout, stderr } = bench(SHORT)
    t.ok(exit === 0 || exit === 1, `exit ${exit}\n${stderr}`)
    t.match(stdout, '10 connections, 1 rounds of 1 s each')
    for (const name of CONTESTANTS)
      t.match(
        stdout,
        new RegExp(`^${name} +[\\d.]+ +\\S+ +\\S+ +\\d+ +\\d+  \\w`, 'm'),
        `a row for ${name}`,
      )
    for (const peer of ['http-proxy-bare', 'http-proxy-keepalive'])
      t.match(
        stdout,
        new RegExp(
          `^narrowgate with everything on / ${peer} doing nothing: \\d+\\.\\d\\d by CPU time a request, \\d+\\.\\d\\d by`,
          'm',
        ),
        `the ratio to ${peer}`,
      )
    t.match(
      stdout,
      exit === 0 ? /^floor: .*: held$/m : /^floor: .*: MISSED$/m,
      'the exit code says what the floors say',
    )
  },
)

await t.test('a setting that is no number is refused by its name', async (t) => {
  const { exit, stderr } = bench({ NARROWGATE_BENCH_SECONDS: 'long' })
  t.equal(exit, 1)
  t.match(stderr, 'NARROWGATE_BENCH_SECONDS: got `long`')
})

await t.test('`npm run bench` is this program', (t) => {
  t.match(JSON.parse(textOf('package.json')).scripts.bench, /node dist\/bench\/run\.js$/)
  t.end()
})
