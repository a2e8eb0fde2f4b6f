import t from 'tap'
import { ROOT, runPlain, textOf } from '../rules/tree.ts'

const PROGRAM = 'dist/bench/catalog/run.js'
/** As short as it can be: the figures say nothing, and nothing here looks at them but at those that are no times. */
const SHORT = { NARROWGATE_BENCH_ROUNDS: '0.2', NARROWGATE_BENCH_WARM_UP: '0.1' }

const bench = (...args: readonly string[]) =>
  runPlain([process.execPath, PROGRAM, ...args], { cwd: ROOT, env: SHORT })

/** In place of the GitHub document, which takes long to fetch and to read. */
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'pets', version: '1' },
  servers: [{ url: 'https://pets.test' }],
  paths: {
    '/pets': {
      get: { operationId: 'pets/list', summary: 'list the pets', responses: {} },
      post: { operationId: 'pets/make', summary: 'make a pet', responses: {} },
    },
  },
}

t.test('a short run checks what is found and prints rows and bounds', async (t) => {
  const document = `${t.testdir({ 'pets.json': JSON.stringify(DOCUMENT) })}/pets.json`
  const parts = [
    bench('import', 'routing', 'resolve', '--rows', '1340', '--document', document),
    bench('batch'),
  ]
  for (const { exit, stderr } of parts) t.ok(exit === 0 || exit === 1, `exit ${exit}\n${stderr}`)
  const stdout = parts.map((part) => part.stdout).join('')
  t.match(stdout, /^name +value unit +floor +against$/m)
  const held = '(held|MISSED)'
  for (const shown of [
    row('import', 'ms CPU +– +2 operations'),
    row('import, peak of memory', `× +≤ 3 ${held} +JSON.parse`),
    row('a match, our router', `µs CPU +≤ 20 ${held} +1340 rows`),
    row('a match, our router', '× +– +find-my-way'),
    row('made, our resolver', 'ms CPU +– +1340 rows'),
    row('p95, our resolver', `ms CPU +≤ 5 ${held} +1340 rows`),
    row('p95, our resolver', '× +– +minisearch, 1340 rows'),
    row('p95, our resolver', '× +– +linear scan, 1340 rows'),
    row('calls in a batch', `× +2 ${held} +calls one by one`),
  ])
    t.match(stdout, shown)
  for (const { exit, stdout } of parts)
    t.equal(exit === 1, / MISSED /.test(stdout), 'the exit code says what the bounds say')
})

function row(name: string, rest: string): RegExp {
  return new RegExp(`^${name} +[\\d.]+ ${rest}$`, 'm')
}

t.test('`--json` prints one object a line; the light listing is as light as is said', async (t) => {
  const document = `${t.testdir({ 'pets.json': JSON.stringify(DOCUMENT) })}/pets.json`
  const { stdout } = bench('light', '--json', '--document', document)
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly name: string; readonly unit: string })
  t.match(rows[0], { name: 'listing, whole: bytes', against: '1340 rows' })
  t.match(rows[1], { name: 'listing, light: bytes', most: 28_080, held: true })
  t.match(rows[2], { unit: '×', floor: 49, held: true })
  t.match(rows.at(-1), { name: 'listing, light: tokens', against: 'listing, whole, the document' })
  t.equal(rows.length, 12)
})

t.test('what the bench does not know is refused', async (t) => {
  t.match(bench('rooting').stderr, 'part: got `rooting`, name some of import, routing, resolve')
  t.match(bench('--rows', 'many').stderr, '--rows: got `many`, give a whole number above 0')
})

t.test('`npm run bench:catalog` is this program', async (t) => {
  t.ok(JSON.parse(textOf('package.json')).scripts['bench:catalog'].endsWith(`node ${PROGRAM}`))
})
