import type { Secret } from '../keys/port.ts'

/** Sends one HTTP request of a connection; what the Fetch standard has of it. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Where a server of tools is, and how it is reached. */
export type McpPlace =
  | {
      readonly kind: 'command'
      /** Program and arguments; no shell reads them. */
      readonly command: readonly string[]
      readonly folder: string
      /** All of its environment. */
      readonly env: Readonly<Record<string, string | Secret>>
    }
  | { readonly kind: 'url'; readonly url: string; readonly fetch: McpFetch }

/** What a connection tells between calls. */
export interface McpEvents {
  /** The server lists other tools from now on. */
  listChanged(): void
  /** The connection serves no more calls; those under way may still end. */
  lost(why: Error): void
  /** A line that a program wrote to its standard error. */
  said(line: string): void
}

/** What a server said to a call. */
export type McpAnswer =
  | {
      readonly kind: 'result'
      readonly content: readonly unknown[]
      /** Undefined where there is none. */
      readonly structured: unknown
      /** Set where the tool itself says that it failed. */
      readonly isError: boolean
    }
  /** An error of JSON-RPC. */
  | { readonly kind: 'error'; readonly code: number; readonly message: string }

/** Why there was no answer. `sent` says what is known of the call’s bytes. */
export interface McpFault extends Error {
  readonly name: 'McpFault'
  readonly code: 'upstream_failed' | 'upstream_timeout' | 'upstream_invalid'
  readonly sent: 'no' | 'unknown'
}

export interface McpCall {
  /** As the server lists it. */
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Aborted when the caller goes: the server is told to stop. */
  readonly signal: AbortSignal
  /** Milliseconds to the answer. */
  readonly timeoutMs: number
}

/** A connection to a server, its handshake done. */
export interface McpConnection {
  /** All tools that the server lists, page by page, as it says them. Rejects for a list without an end. */
  list(): Promise<readonly unknown[]>
  /** Rejects with an McpFault. */
  call(call: McpCall): Promise<McpAnswer>
  /** Ends it once the calls under way have ended. */
  retire(): void
  /** Ends it now; a program is told to end, and ended where it does not. */
  close(): Promise<void>
}

/** Connects to a server; rejects where it cannot be reached or is none. The signal gives the attempt up. */
export type McpConnect = (
  place: McpPlace,
  events: McpEvents,
  signal: AbortSignal,
) => Promise<McpConnection>
