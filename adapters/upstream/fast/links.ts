import type { Dialler, DialOptions } from '../dial.ts'
import type { Plan } from '../route.ts'
import { Link } from './link.ts'

/** Idle connections are closed before common servers close theirs (5 s in Node.js and Apache), to meet few stale ones. */
const IDLE_MS = 4_000
const IDLE_PER_ORIGIN = 256
const SWEEP_MS = 500

/** Keep-alive connections by `plan.key`, the most recently used first. */
export class Links {
  readonly #dialler: Dialler
  readonly #count: (event: 'opened' | 'reused') => void
  readonly #idle = new Map<string, Link[]>()
  readonly #all = new Set<Link>()
  readonly #sweep = setInterval(() => this.#closeOld(), SWEEP_MS)
  #closed = false

  constructor(dialler: Dialler, count: (event: 'opened' | 'reused') => void) {
    this.#dialler = dialler
    this.#count = count
    this.#sweep.unref()
  }

  /** The connection that was used last, if one is idle. */
  take(plan: Plan): Link | undefined {
    const idle = this.#idle.get(plan.key)
    for (let link = idle?.pop(); link !== undefined; link = idle?.pop()) {
      if (link.dead) continue
      this.#count('reused')
      return link
    }
    return undefined
  }

  async open(plan: Plan, options: DialOptions): Promise<Link> {
    const dialled = await this.#dialler.dial(plan, options)
    this.#count('opened')
    const link = new Link(dialled, plan.key, (closed) => this.#forget(closed))
    this.#all.add(link)
    if (this.#closed) link.destroy()
    return link
  }

  give(link: Link): void {
    const idle = this.#idle.get(link.key) ?? []
    if (this.#closed || link.dead || idle.length >= IDLE_PER_ORIGIN) return link.destroy()
    link.rest(performance.now())
    idle.push(link)
    this.#idle.set(link.key, idle)
  }

  /** Closes the idle connections of one key; one that proved stale seldom is alone. */
  dropIdle(plan: Plan): void {
    const idle = this.#idle.get(plan.key) ?? []
    this.#idle.delete(plan.key)
    for (const link of idle) link.destroy()
  }

  destroy(): void {
    this.#closed = true
    clearInterval(this.#sweep)
    for (const link of this.#all) link.destroy()
  }

  #closeOld(): void {
    const before = performance.now() - IDLE_MS
    for (const [key, idle] of this.#idle) {
      const young = idle.filter(({ idleSince }) => idleSince >= before)
      for (const link of idle) if (link.idleSince < before) link.destroy()
      if (young.length === 0) this.#idle.delete(key)
      else this.#idle.set(key, young)
    }
  }

  #forget(link: Link): void {
    this.#all.delete(link)
    const idle = this.#idle.get(link.key)
    const at = idle?.indexOf(link) ?? -1
    if (at >= 0) idle?.splice(at, 1)
  }
}
