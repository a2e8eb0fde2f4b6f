import type { LedgerIndex } from '../../adapters/ledger/port.ts'
import {
  plotWant,
  queryWant,
  VIEWS,
  type Cursors,
  type LedgerBlock,
  type ShownRow,
  type ViewName,
  type Want,
  type Where,
} from '../../catalog/index.ts'
import { Refusal } from '../refusal.ts'
import { answerView } from '../views/answer.ts'
import { coveredBy, type Viewer } from './viewer.ts'

const LATEST = 50

/** What is seen of the ledger at a ledger block. */
export interface Live {
  readonly title: string
  /** Why nothing is shown. */
  readonly withheld?: string
  readonly figures?: readonly { readonly name: string; readonly value: string }[]
  readonly table?: LiveTable
  readonly bars?: readonly Bar[]
}

export interface LiveTable {
  readonly columns: readonly { readonly name: string; readonly kind: 'text' | 'time' | 'number' }[]
  /** Empty where a row has no value. */
  readonly rows: readonly (readonly string[])[]
}

export interface Bar {
  readonly label: string
  readonly value: number
}

export interface LivePlace {
  readonly index: Pick<LedgerIndex, 'view' | 'lag'>
  readonly cursors: Cursors
  readonly viewer: Viewer
}

interface Asked {
  readonly view: ViewName
  readonly want: Want
}

/** Asks the ledger what a block asks, as far as it is for this viewer. What cannot be answered is said, and breaks no page. */
export async function readLive(block: LedgerBlock, place: LivePlace): Promise<Live> {
  const title = block.title ?? titleOf(block)
  try {
    return { title, ...(await liveOf(block, place)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { title, withheld: `${error.code}: ${error.message}` }
  }
}

function titleOf({ task, query, plot }: LedgerBlock): string {
  if (task !== undefined) return `Task ${task}`
  if (query !== undefined) return `Ledger: ${query.view}`
  return `Ledger: ${plot?.figure} by ${plot?.by}`
}

async function liveOf(
  { task, query, plot }: LedgerBlock,
  place: LivePlace,
): Promise<Omit<Live, 'title'>> {
  if (task !== undefined) return taskLive(task, place)
  const asked = query ? queryWant(query) : plot && plotWant(plot)
  if (asked === undefined) return {}
  if (!isForThem(asked.view, place.viewer))
    return { withheld: `The view ${asked.view} is for the owner alone.` }
  return plot ? { bars: await barsOf(asked, plot.figure, place) } : queryLive(asked, place)
}

/** Views whose rows are receipts: of others nobody could say which part a holder may see. */
const OF_RECEIPTS: readonly ViewName[] = ['exchanges', 'turns', 'refusals']

function isForThem(view: ViewName, { sees }: Viewer): boolean {
  return sees === undefined || OF_RECEIPTS.includes(view)
}

async function ask({ view, want }: Asked, { index, cursors, viewer }: LivePlace) {
  const parts = [want.where, viewer.sees].filter((part) => part !== undefined)
  const where: Where = { and: parts }
  return answerView(index, { view, want: { ...want, where } }, cursors)
}

const OF_TASK = ['opened', 'outcome', 'tool', 'status', 'response_bytes', 'id'] as const

async function taskLive(task: string, place: LivePlace): Promise<Omit<Live, 'title'>> {
  const where = coveredBy(task)
  const counted = await ask(
    { view: 'exchanges', want: { where, want: { aggregate: { count: true, by: ['outcome'] } } } },
    place,
  )
  const latest = await queryLive(
    { view: 'exchanges', want: { where, select: OF_TASK, page: { limit: LATEST } } },
    place,
  )
  const groups = [counted.figures ?? []].flat() as readonly Group[]
  const figures = groups.map(({ by, count }) => ({
    name: shown(by?.['outcome']),
    value: String(count),
  }))
  return { ...latest, figures }
}

interface Group {
  readonly by?: Readonly<Record<string, unknown>>
  readonly count?: number
}

async function queryLive(asked: Asked, place: LivePlace): Promise<Omit<Live, 'title'>> {
  const { rows, row, figures } = await ask(asked, place)
  if (figures !== undefined) return { table: figureTable([figures].flat() as readonly ShownRow[]) }
  return { table: rowTable(asked.view, rows ?? (row ? [row] : [])) }
}

function rowTable(view: ViewName, rows: readonly ShownRow[]): LiveTable {
  const { fields } = VIEWS[view]
  const named = Object.keys(fields).filter((name) => rows.some((row) => name in row))
  const columns = named.map((name) => ({ name, kind: kindOf(fields[name]?.type) }))
  return { columns, rows: rows.map((row) => named.map((name) => shown(row[name]))) }
}

function kindOf(type: string | undefined): 'text' | 'time' | 'number' {
  if (type === 'time') return 'time'
  return type === 'number' || type === 'milliseconds' ? 'number' : 'text'
}

/** Figures as a table: groups first, then each figure of each field. */
function figureTable(figures: readonly ShownRow[]): LiveTable {
  const flat = figures.map((figure) => new Map(flatten('', figure)))
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))]
  const columns = names.map((name) => {
    const kind = name.startsWith('by.') ? ('text' as const) : ('number' as const)
    return { name: name.replace(/^by\./, ''), kind }
  })
  return { columns, rows: flat.map((row) => names.map((name) => shown(row.get(name)))) }
}

function flatten(path: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([name, member]) =>
    flatten(path === '' ? name : `${path}.${name}`, member),
  )
}

async function barsOf(asked: Asked, figure: string, place: LivePlace): Promise<readonly Bar[]> {
  const { figures } = await ask(asked, place)
  return ([figures ?? []].flat() as readonly ShownRow[]).map((group) => {
    const values = new Map(flatten('', group))
    const [, label] = [...values].find(([name]) => name.startsWith('by.')) ?? []
    const value = values.get(figure)
    return { label: shown(label), value: typeof value === 'number' ? value : 0 }
  })
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
