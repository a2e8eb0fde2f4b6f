import { Agent } from 'node:http'
import type { ClientRequest, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Dialler, DialOptions } from './dial.ts'
import type { Plan } from './route.ts'

/** What a request carries through node:http to its pool. */
export interface PooledOptions extends RequestOptions {
  readonly plan: Plan
  readonly dial: DialOptions
}

/** Idle connections are closed before common servers close theirs (5 s in Node.js and Apache), to meet few stale ones. */
const IDLE_MS = 4_000
const IDLE_PER_ORIGIN = 256

/**
 * Keep-alive connections by `plan.key`, the most recently used first. An idle connection on which the upstream
 * speaks is closed: what it says there would be taken for the answer to the next request.
 */
export class Pool extends Agent {
  readonly #dialler: Dialler
  readonly #count: (event: 'opened' | 'reused') => void
  readonly #addresses = new WeakMap<Duplex, string>()
  readonly #watchers = new WeakMap<Duplex, () => void>()

  constructor(dialler: Dialler, count: (event: 'opened' | 'reused') => void) {
    super({
      keepAlive: true,
      scheduling: 'lifo',
      timeout: IDLE_MS,
      maxFreeSockets: IDLE_PER_ORIGIN,
    })
    this.#dialler = dialler
    this.#count = count
  }

  /** The address that a connection of this pool was dialled at, `ip:port`. */
  addressOf(socket: Duplex): string {
    return this.#addresses.get(socket) ?? ''
  }

  /** Closes the idle connections of one key; one that proved stale seldom is alone. */
  dropIdle(plan: Plan): void {
    for (const socket of this.freeSockets[plan.key] ?? []) socket.destroy()
  }

  override getName(options?: RequestOptions): string {
    return options === undefined ? '' : (options as PooledOptions).plan.key
  }

  override createConnection(
    options: RequestOptions,
    deliver?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const { plan, dial } = options as PooledOptions
    this.#dialler.dial(plan, dial).then(
      ({ socket, address }) => {
        this.#count('opened')
        this.#addresses.set(socket, address)
        // node:http names no encoding for a head that it sends alone; fields past ASCII do not survive UTF-8.
        socket.setDefaultEncoding('latin1')
        deliver?.(null, socket)
      },
      // The stream is not looked at where there is an error.
      (error: Error) => deliver?.(error, undefined as unknown as Duplex),
    )
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // The types say that nothing is returned, the documentation that false gives the connection up.
    const keep = super.keepSocketAlive(socket) as unknown as boolean
    if (!keep) return false
    const watcher = () => socket.destroy()
    this.#watchers.set(socket, watcher)
    socket.once('data', watcher)
    return true
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    const watcher = this.#watchers.get(socket)
    if (watcher !== undefined) socket.off('data', watcher)
    this.#count('reused')
    super.reuseSocket(socket, request)
  }
}

/** Whether a pooled connection is already known to be of no use. */
export function isDead(socket: Socket): boolean {
  return socket.destroyed || socket.readableEnded || !socket.writable
}
