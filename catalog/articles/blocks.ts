import { boolean, integer, isMembers, oneOf, text, value, type Check } from '../check.ts'
import { VIEW_NAMES } from '../views/fields.ts'
import { WANT_CHECKS } from '../want/fields.ts'
import { line, lines, listOf, matching, shape, slug, word } from './form.ts'
import { MOST_SOURCES } from './sources.ts'

const MOST_ITEMS = 256
const LISTS_DEEP = 4
const MOST_ROWS = 512
const MOST_COLUMNS = 16
const ROWS_SHOWN = 200

const inline = line({ most: 2000 })
const title = line({ least: 1, most: 200 })

function itemAt(deep: number): Check {
  return (got, path, report) => {
    if (!isMembers(got)) return inline(got, path, report)
    if (deep === 1) return report.malformed(path, got, `nest lists ${LISTS_DEEP} deep at most`)
    shape({ text: inline, items: itemsAt(deep - 1) })(got, path, report)
  }
}

function itemsAt(deep: number): Check {
  return listOf(itemAt(deep), { least: 1, most: MOST_ITEMS })
}

/** A task and its sub-tasks. */
const task = matching(
  /^[A-Za-z0-9._-]{1,64}(?:\/[A-Za-z0-9._-]{1,64}){0,15}$/,
  'write a task such as T-7 or T-7/3',
)

const { where, select, order } = WANT_CHECKS
const view = oneOf(VIEW_NAMES)
const paths = listOf(text, { most: 8 })

const query = shape(
  { view },
  {
    where,
    select,
    order,
    page: shape({ limit: integer(1, ROWS_SHOWN) }),
    want: shape(
      {},
      {
        shape: oneOf(['rows', 'first', 'count']),
        aggregate: shape(
          {},
          {
            count: boolean,
            sum: paths,
            min: paths,
            max: paths,
            avg: paths,
            p50: paths,
            p95: paths,
            p99: paths,
            by: paths,
          },
        ),
      },
    ),
  },
)

const plot = shape(
  {
    view,
    by: matching(/^[a-z_]{1,40}(?::[a-z]{1,10})?$/, 'name a field, or a time such as opened:day'),
    figure: matching(
      /^(?:count|(?:sum|min|max|avg|p50|p95|p99)\.[a-z_]{1,40})$/,
      'write count, or a figure such as p95.ms',
    ),
  },
  { where },
)

const LEDGER_PARTS = { task, query, plot }

const ledgerForm = shape({}, { title, ...LEDGER_PARTS })

const ledger: Check = (got, path, report) => {
  ledgerForm(got, path, report)
  const parts = Object.keys(LEDGER_PARTS).filter((name) => Object.hasOwn(got as object, name))
  if (parts.length !== 1)
    report.malformed(path, got, `write exactly one of ${Object.keys(LEDGER_PARTS).join(', ')}`)
}

/** What each type of block holds besides its type. */
const TYPES: Readonly<Record<string, Check>> = {
  heading: shape({ level: integer(2, 3), text: title }),
  text: shape({ text: lines({ least: 1, most: 20_000 }) }),
  list: shape({ items: itemsAt(LISTS_DEEP) }, { ordered: boolean }),
  table: shape({
    caption: title,
    columns: listOf(line({ least: 1, most: 200 }), { least: 1, most: MOST_COLUMNS }),
    rows: listOf(listOf(inline, { least: 1, most: MOST_COLUMNS }), { most: MOST_ROWS }),
  }),
  code: shape({ text: lines({ most: 20_000 }) }, { language: word }),
  quote: shape({ source: integer(0, MOST_SOURCES - 1) }),
  facts: shape({
    names: listOf(matching(/^[A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64}){0,2}$/, 'name a fact'), {
      least: 1,
      most: 32,
    }),
  }),
  ledger,
  card: shape({ slug }),
}

const type = value(
  (got) => typeof got === 'string' && Object.hasOwn(TYPES, got),
  `use one of ${Object.keys(TYPES).join(', ')}`,
)

/** One block. */
export const block: Check = (got, path, report) => {
  if (!isMembers(got)) return report.malformed(path, got, 'write an object with a type')
  const { type: name, ...rest } = got
  const check = typeof name === 'string' && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
  if (check === undefined) return type(name, `${path}.type`, report)
  check(rest, path, report)
}
