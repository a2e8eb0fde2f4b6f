import { keptText } from '../../../catalog/views/index.ts'
import { columnsOf, endColumnsOf, type Columns } from '../index/columns.ts'
import { readBehind, type Position, type ReadRecord } from '../index/follow.ts'

/** A batch is one statement, which has a deadline: more than this is not put into it. */
const MOST_RECORDS = 1000
const MOST_CHARS = 4 * 1024 * 1024

/** Records of one writer as the database takes them over: lists of rows as JSON texts. */
export interface Batch {
  readonly writer: string
  /** Number of the last record before them. */
  readonly former: number
  /** Where the log stands behind them. */
  readonly position: Position
  readonly opened: string
  readonly closed: string
  readonly events: string
}

interface Row extends Partial<Columns> {
  readonly rank?: number
  readonly n: unknown
  readonly id?: string
  readonly unclosed?: boolean
  readonly intent?: string
  readonly result?: string | null
}

interface Held {
  readonly rank: number
  readonly intent: ReadRecord
  result: ReadRecord | undefined
}

/** Reads the next batch behind a position; undefined where the log has nothing new up to record `n`. */
export function readBatch(folder: string, from: Position, n: number): Batch | undefined {
  const position = { ...from }
  const opened = new Map<unknown, Held>()
  const closed = new Map<unknown, ReadRecord>()
  const events: object[] = []
  let rank = 0
  let records = 0
  let chars = 0

  /** The first outcome stands; in the database, too. */
  const close = (record: ReadRecord): void => {
    const { intent } = record.value
    const held = opened.get(intent)
    if (held === undefined) {
      if (!closed.has(intent)) closed.set(intent, record)
    } else if (held.intent.value['kind'] === 'intent') held.result ??= record
  }
  const take = (record: ReadRecord): boolean => {
    const { kind, n } = record.value
    if (kind === 'event') events.push({ rank: (rank += 1), n, record: record.json })
    else if (kind === 'outcome') close(record)
    else if (kind === 'intent' || kind === 'refusal')
      opened.set(n, { rank: (rank += 1), intent: record, result: undefined })
    records += 1
    chars += record.json.length
    return records < MOST_RECORDS && chars < MOST_CHARS
  }
  readBehind(folder, position, { n, take })
  if (records === 0 && position.fault === from.fault) return undefined
  return {
    writer: from.name,
    former: from.n,
    position,
    opened: JSON.stringify([...opened.values()].map(openedRow)),
    closed: JSON.stringify([...closed].map(([intent, record]) => closedRow(intent, record))),
    events: JSON.stringify(events),
  }
}

function openedRow({ rank, intent, result }: Held): Row {
  const { value, json } = intent
  return {
    rank,
    n: value['n'],
    id: typeof value['id'] === 'string' ? keptText(value['id']) : '',
    unclosed: value['kind'] === 'intent' && result === undefined,
    ...columnsOf(value, result?.value),
    intent: json,
    result: result?.json ?? null,
  }
}

function closedRow(n: unknown, { value, json }: ReadRecord): Row {
  return { n, ...endColumnsOf(value), result: json }
}
