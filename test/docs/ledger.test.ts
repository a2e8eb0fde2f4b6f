import t from 'tap'
import { PLAIN_PARAMETERS, VIEWS } from '../../catalog/index.ts'
import { LEDGER_TABLES } from '../../adapters/postgres/ledger-schema.ts'
import { textOf } from '../rules/tree.ts'

const PAGE = textOf('docs/ledger.md')

/** The tables of the page: fields by view, each as `name type meaning`. */
const shown = new Map(
  [...PAGE.matchAll(/^### (\w+)\n\nA row is ([^\n]+)\.\n([^#]+)/gm)].map(
    ([, view = '', says = '', table = '']) => [
      view,
      {
        says,
        rows: [...table.matchAll(/^\| (\w+) \| (\w+) \| (.+) \|$/gm)]
          .filter(([, name]) => name !== 'field')
          .map(([, ...row]) => row),
      },
    ],
  ),
)

t.test('the page has every view and every field, and no other', async (t) => {
  t.strictSame([...shown.keys()], Object.keys(VIEWS))
  for (const [view, { says, fields }] of Object.entries(VIEWS)) {
    t.strictSame(
      shown.get(view),
      {
        says,
        rows: Object.entries(fields).map(([name, field]) => [name, field.type, field.says]),
      },
      view,
    )
  }
})

t.test('the page names every plain parameter', async (t) => {
  for (const name of [...PLAIN_PARAMETERS, 'min_seq']) t.match(PAGE, `\`${name}=`, name)
})

t.test('the view for SQL has the fields of exchanges and refusals, and the lag', async (t) => {
  const [, view = ''] =
    /CREATE VIEW narrowgate\.exchanges_v1 AS\s+SELECT ([^;]+?)\s+FROM narrowgate\.exchanges;/s.exec(
      LEDGER_TABLES,
    ) ?? []
  const columns = view
    .replaceAll(/\([^)]*\)/g, '')
    .split(',')
    .map((column) =>
      column
        .trim()
        .split(/\s+AS\s+|\s+/)
        .at(-1)
        ?.replaceAll('"', ''),
    )
  const fields = new Set([
    ...Object.keys(VIEWS.exchanges.fields),
    ...Object.keys(VIEWS.refusals.fields),
    'lag',
  ])
  t.same(new Set(columns), fields)
  t.equal(columns.length, fields.size, 'none twice')
})
