import {
  readPlainWant,
  VIEW_NAMES,
  VIEWS,
  type Parameters,
  type ViewName,
} from '../../../catalog/index.ts'
import { answerView, type LedgerAnswer } from '../../../gateway/views/answer.ts'
import { csvOf } from '../../../gateway/views/render.ts'
import { EXIT, Fault } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { catchUp } from '../../receipts.ts'
import { timeOf } from '../../receipt-query.ts'
import { asking, questionFault } from '../../refused.ts'
import { defineVerb } from '../../verb.ts'
import { flatFigures, printAnswer, rowsOf } from '../../view-table.ts'

const MORE = 'narrowgate ledger query --help, or docs/ledger.md, has the views and their fields'

function viewOf(text: string): ViewName {
  const view = VIEW_NAMES.find((name) => name === text)
  if (view !== undefined) return view
  throw new Fault(EXIT.usage, `view: got \`${text}\``, `use one of ${VIEW_NAMES.join(', ')}`)
}

/** `outcome=refused`, `ms.gte=100`; several of one name are a list. A time may be a duration back from now. */
function parametersOf(terms: readonly string[], now: number): Parameters {
  const given = new Map<string, string[]>()
  for (const term of terms) {
    const [, name, value = ''] = /^([a-z0-9_.]+)=(.*)$/s.exec(term) ?? []
    if (name === undefined)
      throw new Fault(EXIT.usage, `term: got \`${term}\``, `write name=value; ${MORE}`)
    const isTime = name === 'since' || name === 'until'
    given.set(name, [...(given.get(name) ?? []), isTime ? timeOf(name, value, now) : value])
  }
  return Object.fromEntries(
    [...given].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}

function csv(answer: LedgerAnswer, select: readonly string[] | undefined): Buffer {
  const rows = rowsOf(answer)
  if (answer.figures === undefined)
    return csvOf(rows, select ?? Object.keys(VIEWS[answer.view].fields))
  const lines = rows.map(flatFigures)
  return csvOf(lines, Object.keys(lines[0] ?? {}))
}

/** Asks a view of the ledger. Exit 2 where the view does not have what is asked for. */
export const query = defineVerb({
  positionals: {
    view: { type: 'string', demandOption: true, describe: VIEW_NAMES.join(', ') },
    terms: {
      type: 'string',
      array: true,
      describe:
        'name=value: fields of the view, since, until, select, order, limit, cursor, by, count, sum, min, max, avg, p50, p95, p99, q',
    },
  },
  options: {
    ...PLACE,
    ...JSON_OUTPUT,
    csv: { type: 'boolean', default: false, describe: 'print a table for spreadsheets' },
  },
  examples: [
    ["exchanges outcome=refused 'tool=GITHUB_*' since=1d order=-opened", 'what was refused'],
    ['exchanges by=tool p95=ms order=-p95.ms limit=10', 'the slowest tools'],
    ['tasks since=7d --csv', 'what each task did'],
  ],
  async run(values, terminal) {
    const view = viewOf(values.view)
    const read = readPlainWant(view, parametersOf(values.terms ?? [], Date.now()))
    if (!read.ok)
      throw questionFault(
        read.problems.map(({ path, ...rest }) => ({ axis: path, ...rest })),
        MORE,
      )
    const { want } = read
    if (values.csv && values.json)
      throw new Fault(EXIT.usage, 'got both --csv and --json', 'choose one of them')
    const place = await openExistingPlace(values, terminal)
    const cursors = await place.cursors()
    const answer = await place.withIndex(async (index) => {
      await catchUp(index, terminal)
      return asking(answerView(index, { view, want }, cursors), MORE)
    })
    if (values.json) terminal.out.line(JSON.stringify(answer))
    else if (values.csv) terminal.out.write(csv(answer, want.select).toString())
    else printAnswer(answer, want.select, terminal)
    return EXIT.ok
  },
})
