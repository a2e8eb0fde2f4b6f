import type { Test } from 'tap'
import type { SegmentLog } from '../../../../adapters/ledger/segment/log.ts'
import type { Cluster } from '../../../helpers/postgres.ts'
import { addExchange } from '../index/rig.ts'
import { makeFolder, openLog } from '../rig.ts'
import { openPostgresIndex } from '../../../../adapters/ledger/postgres/open.ts'
import type { Ledger, LedgerIndex } from '../../../../adapters/ledger/port.ts'
import { nameDatabase } from '../../../../adapters/postgres/database.ts'

interface Place {
  readonly url: string
  readonly folder: string
  readonly log?: Pick<Ledger, 'head'>
}

export interface PostgresRig {
  readonly index: LedgerIndex
  readonly faults: readonly string[]
  /** `lost` and `back`, as they were told. */
  readonly states: readonly string[]
  close(): Promise<void>
}

/** An index in PostgreSQL as a gateway has it; closed with the test, or before. */
export function openPostgres(t: Test, { url, folder, log }: Place): PostgresRig {
  const database = nameDatabase({ url, connections: 1 })
  const reading = nameDatabase({ url, connections: 2, deadlineMs: 10_000, statements: 'once' })
  const faults: string[] = []
  const states: string[] = []
  const index = openPostgresIndex({
    folder,
    database,
    reading,
    ...(log === undefined ? {} : { log }),
    onFault: (fault) => faults.push(fault),
    onState: (state) => states.push(state === 'back' ? state : 'lost'),
  })
  let closing: Promise<void> | undefined
  const close = () =>
    (closing ??= (async () => {
      await index.close()
      await Promise.all([database.close(), reading.close()])
    })())
  t.teardown(close)
  return { index, faults, states, close }
}

export interface Gateway extends PostgresRig {
  readonly folder: string
  readonly log: SegmentLog
}

/** A log that a gateway ships to the database. */
export async function openGateway(t: Test, url: string): Promise<Gateway> {
  const folder = makeFolder(t)
  const { log } = await openLog(folder)
  const rig = openPostgres(t, { url, folder, log })
  t.teardown(() => log.close())
  return { folder, log, ...rig }
}

export async function addMany(log: SegmentLog, name: string, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, at) => addExchange(log, { id: `${name}-${at}`, task: name })),
  )
}

export interface Stored {
  readonly seqs: readonly number[]
  readonly ids: readonly string[]
}

export async function storedIn(cluster: Cluster, url: string): Promise<Stored> {
  const rows = await cluster.run(
    url,
    'SELECT seq::int AS seq, id, outcome FROM narrowgate.exchanges ORDER BY seq',
  )
  return { seqs: rows.map(({ seq }) => Number(seq)), ids: rows.map(({ id }) => String(id)) }
}

export function assertWhole(t: Test, { seqs, ids }: Stored, count: number): void {
  t.strictSame(
    seqs,
    Array.from({ length: count }, (_, at) => at + 1),
    'numbers without gaps',
  )
  t.equal(new Set(ids).size, count, 'each exchange once')
}
