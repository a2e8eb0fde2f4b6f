import type { Test } from 'tap'
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
