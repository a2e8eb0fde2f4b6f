import type { Dialled, Dialler, DialOptions } from '../dial.ts'
import type { Plan } from '../route.ts'

/** The request for which it was made asks for it at once; if another one went before, nobody will. */
const KEPT_MS = 1_000

/**
 * Connections that were made for HTTP/2 to upstreams that, as it turned out, speak HTTP/1.1 alone. Who dials there next
 * gets them: the upstream sees one connection, not two.
 */
export class Spares implements Dialler {
  readonly #dialler: Dialler
  readonly #kept = new Map<string, Dialled>()

  constructor(dialler: Dialler) {
    this.#dialler = dialler
  }

  put(plan: Plan, dialled: Dialled): void {
    const { socket } = dialled
    this.#take(plan)?.socket.destroy()
    this.#kept.set(plan.key, dialled)
    socket.on('error', () => {})
    const timer = setTimeout(() => {
      if (this.#kept.get(plan.key) === dialled) this.#take(plan)?.socket.destroy()
    }, KEPT_MS)
    timer.unref()
  }

  dial(plan: Plan, options: DialOptions): Promise<Dialled> {
    const spare = this.#take(plan)
    if (spare !== undefined && !spare.socket.destroyed) return Promise.resolve(spare)
    return this.#dialler.dial(plan, options)
  }

  destroy(): void {
    for (const { socket } of this.#kept.values()) socket.destroy()
  }

  #take(plan: Plan): Dialled | undefined {
    const spare = this.#kept.get(plan.key)
    this.#kept.delete(plan.key)
    return spare
  }
}
