import type { Ledger } from '../../adapters/ledger/port.ts'
import { refusal, type Refusal } from '../refusal.ts'
import type { OwnerPorts } from './ports.ts'

/** Makes what an owner does durable before it is done: what cannot be recorded does not happen. */
export function createRecord(ledger: Pick<Ledger, 'event'>): OwnerPorts['record'] {
  return async (event) => {
    try {
      await ledger.event({ actor: 'owner', ...event })
    } catch (error) {
      throw ledgerOut(error)
    }
  }
}

/** The refusal that stands for a ledger which takes no records. */
export function ledgerOut(error: unknown): Refusal {
  return refusal('ledger_unavailable', 'ledger', {
    got: error instanceof Error ? error.message : String(error),
    repair: 'free space on the state folder’s disk, then try again; no restart is needed',
  })
}
