import type { CheckedWriter } from './checked.ts'
import type { Fault } from './fault.ts'
import type { Item } from './record.ts'

interface Announced {
  readonly n: number
  readonly hash: string
  readonly file: string
  readonly offset: number
  isThere: boolean
}

/** What a gateway's own log says of the logs that it took in from other recorders: how far each had come, and its hash there. */
export class AnnouncedLogs {
  readonly #last = new Map<string, Announced>()

  /** Whether a log is bound by what another one says of it. */
  has(writer: string): boolean {
    return this.#last.has(writer)
  }

  /** Shows it a record of the gateway's own log. */
  readOwn({ fields: { event, subject, data }, line: { file, offset } }: Item): void {
    if (event !== 'ledger_ingested' || typeof subject !== 'string') return
    const { n, hash } = (data ?? {}) as Readonly<Record<string, unknown>>
    const told = { n: Number(n), hash: String(hash), file, offset, isThere: false }
    this.#last.set(subject, told)
  }

  /** Shows it a line of any log. */
  see(writer: string, n: number, { claimed }: Item): void {
    const told = this.#last.get(writer)
    if (told?.n === n && told.hash === claimed) told.isThere = true
  }

  /** What is wrong, once all logs were shown. */
  faults(writers: readonly CheckedWriter[]): readonly Fault[] {
    return [...this.#last].flatMap(([name, { n, hash, file, offset, isThere }]) => {
      if (isThere) return []
      const writer = writers.find(({ head }) => head.writer === name)
      const at = { file, offset, record: n }
      if (writer === undefined)
        return { kind: 'dropped' as const, ...at, what: `the log of ${name} is not here` }
      const kind = writer.head.n < n ? ('truncated' as const) : ('rewritten' as const)
      return { kind, ...at, what: `the log of ${name} has not the hash ${hash} that is told here` }
    })
  }
}
