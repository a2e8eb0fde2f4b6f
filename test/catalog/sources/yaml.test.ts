import t from 'tap'
import { parseCatalogYaml } from '../../../catalog/index.ts'

const row = 'name: A, summary: s, host: api.example, method: GET, path: "/a/{b}"'
const paths = (source: string) =>
  parseCatalogYaml(source, 'c.yaml').problems.map(({ path }) => path)

t.test('a file gives its rows, with their defaults, frozen', async (t) => {
  const { tools, problems } = parseCatalogYaml(
    `tools: [{${row}, paths: {mark: [b]}, only: [x], args: {properties: {b: {in: path, type: integer}}}}]`,
    'c.yaml',
  )
  t.same(problems, [])
  t.match(tools, [
    {
      name: 'A',
      scheme: 'https',
      paths: { mark: ['b'], unmark: [] },
      args: { properties: { b: { in: 'path' } } },
    },
  ])
  t.ok(Object.isFrozen(tools[0]?.args.properties))
})

t.test(
  'all problems are reported at once, each with its place, what stood there and the repair',
  async (t) => {
    const source = `
tools:
  - {${row}, metod: GET, port: 0, keep: all, ledger: fast, want: {selec: []}}
  - {name: b, host: API.example, method: get, path: "/a/../b", only: [], rows: "a[]", runs: shell}
more: 1
`
    t.same(paths(source).toSorted(), [
      'c.yaml: more',
      'c.yaml: tools[0].keep',
      'c.yaml: tools[0].ledger',
      'c.yaml: tools[0].metod',
      'c.yaml: tools[0].port',
      'c.yaml: tools[0].want.selec',
      'c.yaml: tools[1].host',
      'c.yaml: tools[1].method',
      'c.yaml: tools[1].name',
      'c.yaml: tools[1].only',
      'c.yaml: tools[1].path',
      'c.yaml: tools[1].rows',
      'c.yaml: tools[1].runs',
      'c.yaml: tools[1].summary',
    ])
    t.match(parseCatalogYaml(source, 'c.yaml').problems, [{ got: '`metod`', repair: /use name, / }])
  },
)

t.test('rows that cannot be told apart are refused', async (t) => {
  t.same(paths(`tools: [{${row}}, {${row.replace('/a/{b}', '/z')}}]`), ['c.yaml: tools[1].name'])
  t.same(paths(`tools: [{${row}}, {${row.replace('name: A', 'name: B').replace('{b}', '{c}')}}]`), [
    'c.yaml: tools[1].path',
  ])
  t.same(paths(`tools: [{${row}}, {${row.replace('name: A', 'name: B').replace('{b}', 'c')}}]`), [])
})

t.test(
  'a style is said where a list or an object stands in a form, and nowhere else',
  async (t) => {
    const styled = (body: string, arg: string) =>
      paths(
        `tools: [{${row.replace('/{b}', '')}, body: ${body}, args: {properties: {c: {${arg}}}}}]`,
      )
    const wrong = ['c.yaml: tools[0].args.properties.c.style']
    for (const arg of [
      'in: body, type: string',
      'in: body, type: array',
      'in: body, type: array, style: comma',
      'in: body, type: array, style: deep',
      'in: body, type: object, style: json',
      'in: body, style: deep',
    ])
      t.same(styled('form', arg), [], arg)
    for (const arg of [
      'in: body, type: object',
      'in: body, type: object, style: comma',
      'in: body, type: string, style: deep',
      'in: body, style: pipe',
      'in: query, type: array, style: comma',
    ])
      t.same(styled('form', arg), wrong, arg)
    t.same(styled('open', 'in: body, type: object, style: deep'), wrong, 'JSON has none')
  },
)

t.test('parameters and arguments agree', async (t) => {
  t.same(paths(`tools: [{${row}, args: {properties: {b: {in: query}, c: {in: path}}}}]`), [
    'c.yaml: tools[0].args.properties.b.in',
    'c.yaml: tools[0].args.properties.c.in',
  ])
  t.same(paths(`tools: [{${row.replace('{b}', '{b}/{b}')}}]`), ['c.yaml: tools[0].path'])
})

t.test('broken YAML is named by line and column', async (t) => {
  t.same(paths('tools:\n\t- a'), ['c.yaml: line 2, column 1'])
  t.same(paths('a: 1\na: 2'), ['c.yaml: line 2, column 1'])
  t.same(paths(''), ['c.yaml: '])
})
