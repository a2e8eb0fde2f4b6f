import type {
  McpAnswer,
  McpCall,
  McpConnect,
  McpConnection,
  McpEvents,
  McpPlace,
} from '../../adapters/mcp/port.ts'
import type { Log } from '../ports.ts'

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 60_000
/** A connection that stood so long was a good one: the next attempt is made as if it were the first. */
const STEADY_MS = 60_000
/** Calls do not make more attempts than one in this time. */
const APART_MS = 1_000

/** A server of the configuration that is kept connected. */
export interface Server {
  /** Connects, unless it is. Rejects with a fault of a call that was not sent. */
  call(call: McpCall): Promise<McpAnswer>
  /** Why it is not connected; undefined where it is, or is about to be for the first time. */
  down(): string | undefined
  close(): Promise<void>
}

export interface ServerParts {
  readonly name: string
  readonly place: () => McpPlace
  readonly connect: McpConnect
  readonly log: Log
  /** Takes what it lists now. */
  readonly listed: (tools: readonly unknown[]) => void
}

/** Connects at once, and again whenever the connection is lost: at first soon, then ever later. */
export function createServer(parts: ServerParts): Server {
  return new KeptServer(parts)
}

/** What one attempt has seen of its connection. */
interface Seen {
  made: McpConnection | undefined
  broken: Error | undefined
  changed: boolean
}

class KeptServer implements Server {
  readonly #parts: ServerParts
  readonly #closing = new AbortController()
  #connection: McpConnection | undefined
  #attempt: Promise<McpConnection> | undefined
  #listing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #lastAttempt = -Infinity
  #why: string | undefined

  constructor(parts: ServerParts) {
    this.#parts = parts
    void this.#open().catch(() => {})
  }

  async call(call: McpCall): Promise<McpAnswer> {
    const connection = this.#connection ?? (await this.#reach(call.signal))
    return connection.call(call)
  }

  down(): string | undefined {
    return this.#connection === undefined ? this.#why : undefined
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    const opening = await this.#attempt?.catch(() => undefined)
    await (this.#connection ?? opening)?.close()
    this.#connection = undefined
  }

  async #reach(signal: AbortSignal): Promise<McpConnection> {
    if (this.#attempt === undefined && performance.now() - this.#lastAttempt < APART_MS)
      throw unsent(this.#why ?? 'it is not connected')
    try {
      return await orGone(this.#attempt ?? this.#open(), signal)
    } catch (error) {
      throw unsent(whyOf(error))
    }
  }

  #open(): Promise<McpConnection> {
    clearTimeout(this.#timer)
    this.#attempt = this.#connect().finally(() => {
      this.#attempt = undefined
      this.#lastAttempt = performance.now()
    })
    return this.#attempt
  }

  async #connect(): Promise<McpConnection> {
    const { connect, place, log, name, listed } = this.#parts
    const seen: Seen = { made: undefined, broken: undefined, changed: false }
    try {
      seen.made = await connect(place(), this.#eventsOf(seen), this.#closing.signal)
      listed(await seen.made.list())
      if (seen.broken !== undefined) throw seen.broken
      this.#closing.signal.throwIfAborted()
    } catch (error) {
      await seen.made?.close()
      this.#failed(error)
      throw error
    }
    this.#connection = seen.made
    this.#why = undefined
    log.info({ server: name }, 'an MCP server is connected')
    if (seen.changed) this.#list(seen.made)
    return seen.made
  }

  #eventsOf(seen: Seen): McpEvents {
    const { log, name } = this.#parts
    const since = performance.now()
    const isCurrent = () => seen.made !== undefined && seen.made === this.#connection
    return {
      listChanged: () => {
        seen.changed = true
        if (isCurrent()) this.#list(seen.made)
      },
      lost: (why) => {
        seen.broken = why
        if (isCurrent()) this.#lost(seen.made, why, since)
      },
      said: (line) => log.info({ server: name, line }, 'an MCP server wrote to its log'),
    }
  }

  /** One list after the other, so that the last one stands. */
  #list(connection: McpConnection | undefined): void {
    const { log, name, listed } = this.#parts
    this.#listing = this.#listing.then(async () => {
      if (connection === undefined || connection !== this.#connection) return
      try {
        listed(await connection.list())
      } catch (error) {
        log.warn({ server: name, why: whyOf(error) }, 'an MCP server did not list its tools')
      }
    })
  }

  #lost(connection: McpConnection | undefined, why: Error, since: number): void {
    connection?.retire()
    this.#connection = undefined
    if (performance.now() - since >= STEADY_MS) this.#failures = 0
    this.#failed(why)
  }

  #failed(error: unknown): void {
    if (this.#closing.signal.aborted) return
    const { log, name } = this.#parts
    const why = whyOf(error)
    // The same fault again and again is told once.
    if (this.#why !== why) log.warn({ server: name, why }, 'an MCP server is not connected')
    this.#why = why
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 4 ** this.#failures)
    this.#failures++
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#open().catch(() => {}), delay)
    this.#timer.unref()
  }
}

/** The attempt goes on for others when this caller has gone. */
function orGone<T>(attempt: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('the caller has gone'))
    if (signal.aborted) return gone()
    signal.addEventListener('abort', gone, { once: true })
    attempt.then(resolve, reject).finally(() => signal.removeEventListener('abort', gone))
  })
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function unsent(why: string): Error {
  const got = `the server is not connected: ${why}`
  const fault = { name: 'McpFault', code: 'upstream_failed', sent: 'no' } as const
  return Object.assign(new Error(got), fault)
}
