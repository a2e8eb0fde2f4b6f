import type { CallerSignal } from '../../adapters/upstream/port.ts'

/** Whether the client of one exchange is still there, and the signal that tells the exchange that it is not. */
export interface Presence {
  readonly signal: CallerSignal
  /** Ends the exchange as if the client had gone. */
  cancel(): void
  /** The connection ended before its answer did: the client went, unless the door has said that it cuts. */
  left(): void
  /** The door cuts the connection itself, since it could not write the answer: no going of the client. */
  cut(): void
}

export function createPresence(): Presence {
  return new ClientPresence()
}

/**
 * Its own signal: every request has one and few are ever aborted, and the platform's AbortSignal costs more to make
 * than the request's head to read.
 */
class ClientPresence implements Presence, CallerSignal {
  #aborted = false
  #isCut = false
  readonly #listeners: (() => void)[] = []

  get signal(): CallerSignal {
    return this
  }

  get aborted(): boolean {
    return this.#aborted
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener)
    if (at >= 0) this.#listeners.splice(at, 1)
  }

  cancel(): void {
    if (this.#aborted) return
    this.#aborted = true
    for (const listener of this.#listeners.splice(0)) listener()
  }

  left(): void {
    if (!this.#isCut) this.cancel()
  }

  cut(): void {
    this.#isCut = true
  }
}
