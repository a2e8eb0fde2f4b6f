import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import type { Bucket } from '../../objects/port.ts'
import type { LedgerAnchor } from '../port.ts'
import { writerNames } from '../segment/layout.ts'
import {
  pendingNotes,
  pendingSegments,
  readAnchored,
  writeAnchored,
  type Pending,
} from './pending.ts'

const PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const LOOK_MS = 5_000
/** How long the end waits for what was signed last. */
const LAST_MS = 3_000

export interface AnchorOptions {
  /** The log's folder. */
  readonly folder: string
  readonly bucket: Bucket
  /** Stands before every key: empty, or with a slash at its end. */
  readonly prefix: string
  /** A write that has not ended by then counts as failed, in milliseconds. */
  readonly deadlineMs: number
  /** The first pause after a failure, in milliseconds; each is twice as long as the one before, up to a minute. @default 1000 */
  readonly pauseMs?: number
  /** How often the log is looked at, in milliseconds. @default 5000 */
  readonly lookMs?: number
  readonly onNews: (news: AnchorNews) => void
}

/** Something about anchoring that an operator must hear of. */
export type AnchorNews =
  /** Another log, or other checkpoints, lie under the names of ours: somebody has signed or written two. */
  | { readonly kind: 'forked'; readonly key: string }
  /** It cannot be written to; told once until it can. */
  | { readonly kind: 'away'; readonly error: unknown }
  | { readonly kind: 'back' }

/**
 * Carries checkpoints and sealed segments, of each kind the oldest first, to a bucket in which nothing of theirs is ever
 * replaced. Nobody waits for it: what it could not carry yet is on the disk, and is carried later.
 */
export function openAnchor(options: AnchorOptions): LedgerAnchor {
  return new Anchor(options)
}

class Anchor implements LedgerAnchor {
  readonly #options: AnchorOptions
  readonly #ending = new AbortController()
  readonly #running: Promise<void>
  /** By the writers whose logs they are of. */
  readonly #forks = new Map<string, string>()
  #backlog = 0
  #isAway = false

  constructor(options: AnchorOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  stats(): ReturnType<LedgerAnchor['stats']> {
    return { backlog: this.#backlog, away: this.#isAway, forks: [...this.#forks.values()] }
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await this.#running
    if (this.#isAway) return
    const last = new AbortController()
    const carrying = this.#carryAll(last.signal)
    await within(LAST_MS, () => carrying).catch(() => undefined)
    last.abort()
  }

  async #run(): Promise<void> {
    const { pauseMs = PAUSE_MS, lookMs = LOOK_MS } = this.#options
    const { signal } = this.#ending
    let pause = pauseMs
    while (!signal.aborted) {
      const error = await this.#carryAll(signal).catch(
        (fault: unknown) => fault ?? new Error('unknown'),
      )
      if (!signal.aborted) this.#tell(error)
      await sleep(error === undefined ? lookMs : pause, undefined, { signal }).catch(
        () => undefined,
      )
      pause = error === undefined ? pauseMs : Math.min(LONGEST_PAUSE_MS, pause * 2)
    }
  }

  /** Told when it changes. */
  #tell(error: unknown): void {
    const isAway = error !== undefined
    if (isAway !== this.#isAway)
      this.#options.onNews(isAway ? { kind: 'away', error } : { kind: 'back' })
    this.#isAway = isAway
  }

  /** Until nothing is left; of a writer whose log is forked nothing more is carried. */
  async #carryAll(signal: AbortSignal): Promise<void> {
    for (;;) {
      const writers = writerNames(this.#options.folder)
      const due = await Promise.all(writers.map((writer) => this.#pending(writer)))
      this.#backlog = due.reduce((sum, { items }) => sum + items.length, 0)
      const ready = due.filter(({ writer, items }) => items.length > 0 && !this.#forks.has(writer))
      if (ready.length === 0) return
      for (const { writer, items } of ready)
        for (const item of items) {
          if (signal.aborted) return
          if (!(await this.#carry(writer, item))) break
          this.#backlog -= 1
        }
    }
  }

  /** Small, and telling the most, checkpoints go before segments. */
  async #pending(writer: string): Promise<{ writer: string; items: readonly Pending[] }> {
    const { folder } = this.#options
    const done = readAnchored(folder, writer)
    const notes = await pendingNotes(folder, writer, done)
    const behind = notes.at(-1)?.afterwards ?? done
    return { writer, items: [...notes, ...pendingSegments(folder, writer, behind)] }
  }

  /** False where something else lies there. */
  async #carry(writer: string, { key: name, content, afterwards }: Pending): Promise<boolean> {
    const { folder, prefix, deadlineMs, onNews } = this.#options
    const key = `${prefix}${writer}/${name}`
    const isOurs = await within(deadlineMs, () => this.#put(key, content))
    if (isOurs) writeAnchored(folder, writer, afterwards)
    else {
      this.#forks.set(writer, key)
      onNews({ kind: 'forked', key })
    }
    return isOurs
  }

  async #put(key: string, content: Pending['content']): Promise<boolean> {
    const { bucket } = this.#options
    const value = 'text' in content ? content.text : createReadStream(content.file)
    try {
      const put = await bucket.put(key, value, { onlyIf: { etagDoesNotMatch: '*' } })
      return put !== null || (await this.#isThere(key, content))
    } finally {
      if (typeof value !== 'string') value.destroy()
    }
  }

  /** Whether what lies there is ours, from a try whose answer was lost. */
  async #isThere(key: string, content: Pending['content']): Promise<boolean> {
    const there = await this.#options.bucket.get(key)
    if (there === null || !('body' in there)) throw new Error(`${key}: it was there and is gone`)
    if ('text' in content) return (await text(there.body)) === content.text
    return (await digestOf(there.body)) === (await digestOf(createReadStream(content.file)))
  }
}

async function digestOf(stream: AsyncIterable<unknown>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of stream) hash.update(piece as Buffer)
  return hash.digest('hex')
}

async function within<T>(ms: number, act: () => Promise<T>): Promise<T> {
  const ended = new AbortController()
  const late = sleep(ms, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`no answer within ${ms} ms`)
  })
  try {
    return await Promise.race([act(), late])
  } finally {
    ended.abort()
    late.catch(() => undefined)
  }
}
