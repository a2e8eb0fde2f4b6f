import type { LedgerAlarm } from './alarm.ts'

interface Fault {
  readonly why: string
  /** Monotonic time in ms. */
  readonly since: number
}

/** Whether the disk takes nothing at present; its beginning and its end are told once each. */
export class Outage {
  readonly #onAlarm: (alarm: LedgerAlarm) => void
  #fault: Fault | undefined

  constructor(onAlarm: (alarm: LedgerAlarm) => void) {
    this.#onAlarm = onAlarm
  }

  /** Undefined where there is none. */
  get why(): string | undefined {
    return this.#fault?.why
  }

  /** Gives the fault that began it, which is this one only where there was none. */
  begin(error: unknown): Fault {
    const why = error instanceof Error ? error.message : String(error)
    if (this.#fault === undefined) this.#onAlarm({ kind: 'unavailable', error })
    return (this.#fault ??= { why, since: performance.now() })
  }

  end(): void {
    if (this.#fault === undefined) return
    this.#fault = undefined
    this.#onAlarm({ kind: 'available' })
  }
}
