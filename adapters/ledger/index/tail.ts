import type Database from 'better-sqlite3'
import type { Head } from '../port.ts'
import {
  beginning,
  isHeld,
  readBehind,
  writersByAge,
  type Position,
  type ReadRecord,
} from './follow.ts'
import { emptyIndex } from './schema.ts'
import { createRecordWriter } from './writing.ts'
import { isForeign } from '../segment/foreign.ts'

/** One step indexes so many records at most, so that queries get their turn in between. */
const STEP_RECORDS = 2000

export interface Progress {
  /** More was found than one step takes. */
  readonly more: boolean
  /** Number of the last indexed record of each writer. */
  readonly indexed: Readonly<Record<string, number>>
  /** Writers whose chain breaks; they are indexed up to there. */
  readonly faults: readonly string[]
  /** Position of the last item of the feed. */
  readonly fed: number
}

/** Brings the index up to the log. */
export interface Tail {
  /** `durable`: nothing of this writer beyond that number is indexed yet. Without it all whole lines count. */
  step(durable?: Head): Progress
}

/**
 * Reads a log's segments behind what the index has. Each step is one transaction that begins with the stored
 * position, so any number of processes may do it at once.
 */
export function createTail(db: Database.Database, folder: string): Tail {
  const beginBatch = createRecordWriter(db)
  const select = db.prepare<[string], Position>('SELECT * FROM writers WHERE name = ?')
  const names = db.prepare<[], string>('SELECT name FROM writers').pluck()
  const fed = db.prepare<[], number>('SELECT max(position) FROM feed').pluck()
  const save = db.prepare(
    `INSERT INTO writers (name, segment, next, line, n, hash, fault)
     VALUES (@name, @segment, @next, @line, @n, @hash, @fault)
     ON CONFLICT (name) DO UPDATE SET segment = excluded.segment, next = excluded.next, line = excluded.line,
       n = excluded.n, hash = excluded.hash, fault = excluded.fault`,
  )

  const step = db.transaction((durable: Head | undefined): Progress => {
    const writers = writersByAge(folder)
    const positions = writers.map((name) => select.get(name) ?? beginning(name))
    const known = names.all()
    if (
      !known.every((name) => writers.includes(name)) ||
      !positions.every((position) => isHeld(folder, position))
    ) {
      emptyIndex(db)
      positions.splice(0, positions.length, ...writers.map(beginning))
    }
    let records = STEP_RECORDS
    const follow = (position: Position, n: number, isFull: () => boolean): void => {
      const batch = beginBatch(position.name)
      const take = (record: ReadRecord) => {
        batch.add(record)
        records -= 1
        const told = announcement(record)
        const other = positions.find(({ name }) => name === told?.writer)
        if (told === undefined || other === undefined || !isForeign(folder, other.name))
          return !isFull()
        // Whatever came before stands before it, and the two never write at once.
        batch.flush()
        if (other.fault === null) follow(other, told.n, () => false)
        return !isFull()
      }
      readBehind(folder, position, { n, take })
      batch.flush()
      save.run(position)
    }
    for (const position of positions.filter(({ name }) => !isForeign(folder, name))) {
      const n = position.name === durable?.writer ? durable.n : Infinity
      if (records > 0 && position.fault === null) follow(position, n, () => records <= 0)
    }
    return {
      more: records <= 0,
      indexed: Object.fromEntries(positions.map(({ name, n }) => [name, n])),
      faults: positions.flatMap(({ fault }) => fault ?? []),
      fed: fed.get() ?? 0,
    }
  })
  return { step: (durable) => step.immediate(durable) }
}

/**
 * How far another recorder's log was taken in, where the record says so. Its records are indexed at this very place:
 * so an index that is made again gives the same numbers.
 */
function announcement({ value }: ReadRecord): { writer: string; n: number } | undefined {
  const { kind, event, subject, data } = value
  if (kind !== 'event' || event !== 'ledger_ingested' || typeof subject !== 'string')
    return undefined
  const n: unknown = typeof data === 'object' && data !== null && 'n' in data ? data.n : undefined
  return typeof n === 'number' ? { writer: subject, n } : undefined
}
