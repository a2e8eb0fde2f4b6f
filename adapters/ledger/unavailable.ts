import type { LedgerUnavailable } from './port.ts'

/** Made where a record cannot be kept; `cause` is the fault of the disk, where there is one. */
export class LedgerUnavailableError extends Error implements LedgerUnavailable {
  override readonly name = 'LedgerUnavailable'
  readonly code = 'ledger_unavailable'

  constructor(why: string, options?: { readonly cause?: unknown }) {
    super(`the ledger cannot record: ${why}; nothing is let through until it can`, options)
  }
}
