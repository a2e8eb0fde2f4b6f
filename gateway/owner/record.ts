import type { Ledger } from '../../adapters/ledger/port.ts'
import { refusal } from '../refusal.ts'
import type { OwnerPorts } from './ports.ts'

/** Makes what an owner does durable before it is done: what cannot be recorded does not happen. */
export function createRecord(ledger: Pick<Ledger, 'event'>): OwnerPorts['record'] {
  return async (event) => {
    try {
      await ledger.event({ actor: 'owner', ...event })
    } catch (error) {
      throw refusal('ledger_unavailable', 'ledger', {
        got: error instanceof Error ? error.message : String(error),
        repair: 'free space on the state folder’s disk, then try again; no restart is needed',
      })
    }
  }
}
