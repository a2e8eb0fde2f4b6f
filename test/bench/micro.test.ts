import t from 'tap'
import { ROOT, runPlain, textOf } from '../rules/tree.ts'

const PROGRAM = ['--experimental-wasm-modules', '--no-warnings', 'dist/bench/micro/run.js']
const SHORT = { NARROWGATE_BENCH_ROUNDS: '0.2', NARROWGATE_BENCH_WARM_UP: '0.01' }
const ROWS = ['verify', 'verify, portable', 'link', 'decide, warm', 'decide, cold', 'macaroon']

// As short as it can be: the figures say nothing, and nothing here looks at them. The rows check their
// verdicts, one that must be refused before they are timed, and throw where one is wrong.
t.test('a short run checks all verdicts and prints rows and floors', async (t) => {
  const { exit, stdout, stderr } = runPlain([process.execPath, ...PROGRAM], {
    cwd: ROOT,
    env: SHORT,
  })
  t.ok(exit === 0 || exit === 1, `exit ${exit}\n${stderr}`)
  for (const name of [...ROWS, 'biscuit', 'decide with 8 counters'])
    t.match(stdout, new RegExp(`^${name} +[\\d.]+ +[\\d.]+  \\w`, 'm'), `a row for ${name}`)
  t.match(stdout, exit === 0 ? /^floor: .*: held$/m : /^floor: .*: MISSED$/m)
})

t.test('`npm run bench:micro` is this program', async (t) => {
  const { scripts } = JSON.parse(textOf('package.json'))
  t.ok(scripts['bench:micro'].endsWith(`node ${PROGRAM.join(' ')}`))
})
