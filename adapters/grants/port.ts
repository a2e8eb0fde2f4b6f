import type { Leashes, Revocations } from '../../policy/index.ts'

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

/** A grant with what became of it since. */
export interface KnownGrant extends Grant {
  /** When it was revoked, RFC 3339. */
  readonly revoked?: string
  /** The lines that its owner appended after it was handed out, in order. */
  readonly leash: readonly string[]
}

/** A place in a chain, as a verified token shows it. */
export interface ChainPlace {
  /** The grant's id. */
  readonly id: string
  /** The public names of all places, of the id and then of each line. */
  readonly links: readonly string[]
  /** All lines, those of the grant first. */
  readonly lines: readonly string[]
}

/** A token narrowed from a grant, known since a gateway let a call of it through. */
export interface SeenChild extends Omit<ChainPlace, 'id'> {
  /** When it was first seen, RFC 3339. */
  readonly seen: string
}

/** Something that was done to a grant, and that a gateway still has to put into its ledger. */
export interface GrantEvent {
  readonly event: 'grant_minted' | 'grant_revoked' | 'grant_leashed'
  /** The grant's id, or the link that was revoked. */
  readonly subject: string
  readonly actor: string
  readonly task?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Events on their way into a ledger; they stay where they are until they are settled. */
export interface Outbox {
  readonly events: readonly GrantEvent[]
  settle(): Promise<void>
}

/**
 * Grants with their revocations and leashes, shared by gateways and the command line. What a call asks for is
 * answered from memory, which follows the store within a second.
 */
export interface Grants extends Revocations, Leashes {
  /**
   * Resolves when the memory is as fresh as a call may rely on: mostly at once, else after a look at the store that
   * began later than this call. Rejects where the store cannot be read.
   */
  fresh(): Promise<void>
  /** Whether the memory may be relied on now. */
  ready(): boolean
  /** Ends a grant, or the place in a chain that a link names, and everything narrowed from it. False: it was ended. */
  revoke(idOrLink: string, by: string, now: number): Promise<boolean>
  /**
   * Appends lines to a grant's leash; the caller has parsed them. The id need not have been minted here. False where
   * the leash would have more lines than can be read (`MAX_LINES`), whoever put them there: none was appended.
   */
  leash(id: string, lines: readonly string[], done: { by: string; now: number }): Promise<boolean>
  /** Rejects where the id is known already. */
  recordMinted(grant: Grant): Promise<void>
  /** Notes a token that a call was made with. It is stored a moment later, where it is a child of a known grant. */
  saw(place: ChainPlace, now: number): void
  /** The most recently minted first. */
  list(): Promise<readonly KnownGrant[]>
  /** With the children that were seen, at most a thousand, oldest first. */
  get(id: string): Promise<(KnownGrant & { readonly children: readonly SeenChild[] }) | undefined>
  /**
   * The events that no ledger has yet, oldest first. They stay until `settle` is called, so that a crash between
   * the two records an event twice rather than never.
   */
  takeOutbox(): Promise<Outbox>
  /** Called after something was revoked or leashed, by this process or another. Returns the way to stop listening. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}
