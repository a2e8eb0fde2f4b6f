import { LRUCache } from 'lru-cache'
import type { Dialler, DialOptions, Protocol } from '../dial.ts'
import type { Plan } from '../route.ts'
import { Session } from './session.ts'
import type { Spares } from './spares.ts'

const MOST_REMEMBERED = 1_000
/** An upstream that learns another protocol is asked again after so long. */
const REMEMBERED_MS = 600_000

interface SessionsParts {
  readonly dialler: Dialler
  readonly spares: Spares
  readonly count: (event: 'opened' | 'reused') => void
}

/** Connections that speak HTTP/2 by `plan.key`, and what is known of upstreams that do not. */
export class Sessions {
  readonly #parts: SessionsParts
  readonly #sessions = new Map<string, Set<Session>>()
  readonly #opening = new Map<string, Promise<unknown>>()
  readonly #spoken = new LRUCache<string, Protocol>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS })
  #closed = false

  constructor(parts: SessionsParts) {
    this.#parts = parts
  }

  /** What is known to be the only protocol of an upstream. */
  onlyProtocol(plan: Plan): Protocol | undefined {
    return this.#spoken.get(plan.key)
  }

  learn(plan: Plan, only: Protocol): void {
    this.#spoken.set(plan.key, only)
  }

  /**
   * A session with a place held for one exchange, or undefined where the upstream speaks HTTP/1.1 alone. Requests that
   * come together wait for one connection.
   */
  async hold(plan: Plan, options: DialOptions): Promise<Session | undefined> {
    for (;;) {
      if (this.onlyProtocol(plan) === 'http/1.1') return undefined
      const free = this.#free(plan)
      if (free !== undefined) return free
      const opening = this.#opening.get(plan.key)
      if (opening === undefined) return this.#openOnce(plan, options)
      // Whoever opens it hears of its fault; the others try for themselves.
      await opening.catch(() => {})
    }
  }

  destroy(): void {
    this.#closed = true
    for (const sessions of this.#sessions.values())
      for (const session of sessions) session.destroy()
  }

  #free(plan: Plan): Session | undefined {
    for (const session of this.#sessions.get(plan.key) ?? []) {
      if (!session.isFree) continue
      this.#parts.count('reused')
      return session.hold()
    }
    return undefined
  }

  #openOnce(plan: Plan, options: DialOptions): Promise<Session | undefined> {
    const opening = this.#open(plan, options).finally(() => this.#opening.delete(plan.key))
    this.#opening.set(plan.key, opening)
    return opening
  }

  async #open(plan: Plan, options: DialOptions): Promise<Session | undefined> {
    const { dialler, spares, count } = this.#parts
    const dialled = await dialler.dial(plan, { ...options, protocols: ['h2', 'http/1.1'] })
    if (dialled.protocol === 'http/1.1') {
      this.learn(plan, 'http/1.1')
      spares.put(plan, dialled)
      return undefined
    }
    count('opened')
    const { signal, timeout } = options
    const onClosed = (closed: Session) => this.#forget(closed)
    const session = await Session.open(plan, dialled, { signal, timeout, onClosed })
    if (this.#closed) session.destroy()
    const known = this.#sessions.get(plan.key) ?? new Set()
    this.#sessions.set(plan.key, known.add(session))
    return session.hold()
  }

  #forget(session: Session): void {
    const sessions = this.#sessions.get(session.key)
    if (sessions?.delete(session) === true && sessions.size === 0)
      this.#sessions.delete(session.key)
  }
}
