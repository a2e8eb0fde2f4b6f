import type { Readable } from 'node:stream'

export type * from './bucket.ts'

/** A body that was kept, or the reason why it was not. */
export interface KeptBody {
  /** Lower-case hex SHA-256 of all bytes that were written. */
  readonly sha256: string
  readonly bytes: number
  /** True when the bytes can be read back under their hash. */
  readonly kept: boolean
  /** Why they can not, where `kept` is false: `disk_full`, `too_large`, `failed` (another fault of the disk), `closed`. */
  readonly why?: string
}

/** Takes one body piece by piece. It never throws and never blocks the exchange that feeds it. */
export interface BodyWriter {
  /** False asks the caller to wait for `drained` before it writes more, as streams do. */
  write(chunk: Uint8Array): boolean
  drained(): Promise<void>
  /** Ends the body; the same bytes are kept once. */
  finish(): Promise<KeptBody>
  /** Drops what was written. */
  abort(): void
}

/** A body that lies in the store. */
export interface StoredBody {
  readonly sha256: string
  readonly bytes: number
  /** When it was stored or used last, in milliseconds since the epoch; exact to an hour. */
  readonly used: number
}

/** What was erased. */
export interface Erasure {
  readonly bodies: number
  readonly bytes: number
}

/** Kept bodies under their SHA-256, bounded in size: the oldest are erased first. */
export interface BodyStore {
  writer(): BodyWriter
  /** The bytes, or a part of them; undefined where they were never kept or have been erased. */
  read(
    sha256: string,
    range?: { readonly offset: number; readonly length: number },
  ): Promise<Readable | undefined>
  /** What is known of a body without its bytes; undefined as in `read`. */
  find(sha256: string): Promise<StoredBody | undefined>
  /** Bodies by their hashes, in order: so many at most, from the first on that is not before this text. */
  list(from: string, most: number): Promise<readonly StoredBody[]>
  /** Called for each erasure that makes room, so that the ledger can record it. */
  onErased(listener: (sha256: string, bytes: number) => void): void
  /**
   * Erases what no exchange had since a time (milliseconds since the epoch, exact to an hour): each body once `record` has
   * resolved. Rejects where that does; that body stays.
   */
  eraseOlder(
    before: number,
    record: (body: { readonly sha256: string; readonly bytes: number }) => Promise<unknown>,
  ): Promise<Erasure>
  stats(): { readonly bodies: number; readonly bytes: number; readonly limit: number }
  close(): Promise<void>
}
