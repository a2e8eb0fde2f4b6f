import t from 'tap'
import { filesBelow, textOf } from '../rules/tree.ts'

const PAGE = textOf('docs/clients.md')
const { devDependencies, dependencies } = JSON.parse(textOf('package.json')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>
const VERSIONS: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies }

/** Names and versions in the tables, by their headings. */
const sections = new Map(
  PAGE.split('\n## ')
    .slice(1)
    .map((text) => [
      text.split('\n')[0] ?? '',
      [...text.matchAll(/^\| (?!client |---)([^|]+?) +\| ([^|]+?) +\|/gm)].map(
        ([, name = '', version = '']) => ({ name, version }),
      ),
    ]),
)

/** Each family's own file compares the names: what is left is that there is such a file. */
t.test('each table is that of a file of the matrix', async (t) => {
  const families = filesBelow('test/clients')
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => /\nmatrix\(\s*'([^']+)'/.exec(textOf(path))?.[1])
  const tables = [...sections].filter(([, rows]) => rows.length > 0).map(([heading]) => heading)
  t.strictSame(new Set(tables), new Set([...families, 'gRPC']))
})

t.test('the table of gRPC names the clients of its tests', async (t) => {
  const tested = filesBelow('test/grpc').map(textOf).join('\n')
  for (const { name } of sections.get('gRPC') ?? []) t.match(tested, `'${name}'`, name)
})

t.test('packages of npm stand there with the version that is installed', async (t) => {
  const rows = [...(sections.get('Node') ?? []), ...(sections.get('gRPC') ?? [])]
  const known = rows.filter(({ name }) => name in VERSIONS)
  t.ok(known.length > 10)
  for (const { name, version } of known) t.equal(version, VERSIONS[name], name)
})
