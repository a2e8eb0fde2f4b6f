import type { LedgerUnavailable } from './port.ts'

interface UnavailableOptions {
  readonly cause?: unknown
  readonly fate?: Promise<boolean>
}

/** Made where a record cannot be kept; `cause` is the fault of the disk, where there is one. */
export class LedgerUnavailableError extends Error implements LedgerUnavailable {
  override readonly name = 'LedgerUnavailable'
  readonly code = 'ledger_unavailable'
  readonly fate: Promise<boolean> | undefined

  constructor(why: string, options: UnavailableOptions = {}) {
    super(`the ledger cannot record: ${why}; nothing is let through until it can`, options)
    this.fate = options.fate
  }
}
