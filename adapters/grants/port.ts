import type { Revocations } from '../../policy/index.ts'

/** What is remembered of a token that was minted here; never the token itself. */
export interface Grant {
  readonly id: string
  /** The caveat lines. */
  readonly lines: readonly string[]
  /** RFC 3339. */
  readonly minted: string
  /** Who minted it. */
  readonly by: string
  readonly task?: string
}

/** Something that another process did, and that the gateway still has to put into the ledger. */
export interface GrantEvent {
  readonly event: 'grant_minted' | 'grant_revoked'
  /** The grant's id, or the link that was revoked. */
  readonly subject: string
  readonly actor: string
  readonly task?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Grants and their revocations, shared by the gateway and the command line. */
export interface Grants extends Revocations {
  /** Ends a grant, or the place in a chain that a link names, and everything narrowed from it. False: it was ended. */
  revoke(idOrLink: string, by: string, now: number): boolean
  /** Throws where the id is known already. */
  recordMinted(grant: Grant): void
  /** The most recently minted first, each with the time of its revocation, if any. */
  list(): readonly (Grant & { readonly revoked?: string })[]
  get(id: string): (Grant & { readonly revoked?: string }) | undefined
  /**
   * The events that no ledger has yet, oldest first. They stay until `settle` is called, so that a crash between
   * the two records an event twice rather than never.
   */
  takeOutbox(): { readonly events: readonly GrantEvent[]; settle(): void }
  /** Called after something was revoked, by this process or another. Returns the way to stop listening. */
  onChange(listener: () => void): () => void
  close(): void
}
