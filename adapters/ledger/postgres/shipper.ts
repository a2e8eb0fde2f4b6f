import type { Database, LateDatabase } from '../../postgres/port.ts'
import type { Position } from '../index/follow.ts'
import { createThread } from '../index/thread.ts'
import type { Head, Ledger } from '../port.ts'
import type { Batch } from './batch.ts'
import type { ReaderCall, ReaderData } from './protocol.ts'

const POLL_MS = 100
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5000
/** So often it is looked anew how far the database is: others may carry the same recorder's log. */
const LOOK_MS = 60_000

export interface ShipperOptions {
  /** The log's folder. */
  readonly folder: string
  /** For writes; its deadline is theirs. */
  readonly database: LateDatabase
  /** The log of this process: with it only durable records are taken over. Without it, all whole lines are. */
  readonly log?: Pick<Ledger, 'head'>
  /** Told once for each place at which a writer's chain breaks; JSON with writer, segment, record, offset, what. */
  readonly onFault: (fault: string) => void
  /** Told when the database is lost, with the error, and when it is back. */
  readonly onState: (state: 'back' | { readonly lost: unknown }) => void
}

/**
 * Takes the log over into the database, batch by batch. Nothing waits for it: where the database is away, the records
 * lie in the log, and are taken over in their order when it is back.
 */
export interface Shipper {
  /** Resolves once everything that was durable at the call is there; rejects where that fails. */
  sync(): Promise<void>
  /** Durable records that are not there yet, as far as is known: all of this writer's, before the first answer. */
  lag(): number
  close(): Promise<void>
}

export function createShipper(options: ShipperOptions): Shipper {
  const { folder, database, log, onState } = options
  const reader = createThread<ReaderCall>({
    home: import.meta.url,
    data: { folder } satisfies ReaderData,
    name: `ledger ${folder}: the reader for PostgreSQL`,
  })
  const told = new Set<string>()
  let migrated = false
  /** Undefined until the database has told them, and after every failure: a lost answer may have been a yes. */
  let positions: readonly Position[] | undefined
  let known = new Map<string, number>()
  let running: Promise<void> | undefined
  let looked = 0
  let failures = 0
  let closed = false
  let seen: string | undefined
  let timer: NodeJS.Timeout | undefined

  const learn = (learned: readonly Position[]): void => {
    positions = learned
    known = new Map(learned.map(({ name, n }) => [name, n]))
    for (const fault of learned.flatMap(({ fault }) => fault ?? [])) {
      if (told.has(fault)) continue
      told.add(fault)
      options.onFault(fault)
    }
  }
  const load = async (): Promise<readonly Position[]> => {
    if (!migrated) await database.migrated()
    migrated = true
    const call = { name: 'writers', positions: await readPositions(database) } as const
    const learned = (await reader.call(call)) as readonly Position[]
    looked = performance.now()
    learn(learned)
    return learned
  }
  const next = async (from: readonly Position[], durable: Head | undefined) =>
    (await reader.call({ name: 'next', positions: from, durable })) as Batch | undefined
  const drain = async (): Promise<void> => {
    const durable = log?.head()
    if (performance.now() - looked > LOOK_MS) positions = undefined
    let batch = await next(positions ?? (await load()), durable)
    while (batch !== undefined && !closed) {
      const behind = moved(positions ?? [], batch.position)
      // The next batch is read while this one is written.
      const [stored, following] = await Promise.all([
        ship(database, batch, durable),
        next(behind, durable),
      ])
      if (stored === batch.position.n) {
        learn(behind)
        batch = following
      } else batch = await next(await load(), durable)
    }
    seen = durable?.hash
  }
  /** One pass at a time; who comes while one runs waits for the next one. */
  const pass = async (): Promise<void> => {
    while (running !== undefined) await running.catch(() => undefined)
    running = drain().finally(() => (running = undefined))
    try {
      await running
      if (failures > 0) onState('back')
      failures = 0
    } catch (error) {
      positions = undefined
      failures += 1
      if (failures === 1 && !closed) onState({ lost: error })
      throw error
    }
  }
  const poll = (): void => {
    const idle = failures === 0 && log !== undefined && log.head().hash === seen
    const done = idle ? Promise.resolve() : pass().catch(() => undefined)
    void done.then(() => {
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10))
      if (!closed) timer = setTimeout(poll, failures === 0 ? POLL_MS : pause)
    })
  }
  if (log !== undefined) poll()
  return {
    sync: pass,
    lag() {
      const head = log?.head()
      return head === undefined ? 0 : Math.max(0, head.n - (known.get(head.writer) ?? 0))
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await reader.end()
    },
  }
}

/** The positions once a writer's has moved. */
function moved(positions: readonly Position[], position: Position): readonly Position[] {
  return [...positions.filter(({ name }) => name !== position.name), position]
}

interface StoredPosition {
  readonly name: string
  readonly segment: string
  readonly next: string
  readonly line: string
  readonly n: string
  readonly hash: string
  readonly fault: string | null
}

/** How far each log was taken over. */
export async function readPositions(database: Database): Promise<readonly Position[]> {
  const rows = await database.query<StoredPosition>(
    'SELECT name, segment, next, line, n, hash, fault FROM narrowgate.ledger_writers',
    [],
  )
  return rows.map(readPosition)
}

/** The database's long numbers come as texts. */
function readPosition({ name, hash, fault, ...place }: StoredPosition): Position {
  const [segment, next, line, n] = [place.segment, place.next, place.line, place.n].map(Number)
  return { name, hash, fault, segment: segment ?? 0, next: next ?? 0, line: line ?? 0, n: n ?? 0 }
}

/** Gives the number of the last record of the writer that is there afterwards. */
async function ship(
  database: LateDatabase,
  { writer, former, position, opened, closed, events }: Batch,
  durable: Head | undefined,
): Promise<number> {
  const head = durable?.writer === writer ? durable.n : position.n
  const place = JSON.stringify({ ...position, head })
  const [row] = await database.query<{ n: string }>(
    'SELECT narrowgate.ship($1, $2, $3::text::json, $4::text::json, $5::text::json, $6::text::json) AS n',
    [writer, former, place, opened, closed, events],
  )
  return Number(row?.n)
}
