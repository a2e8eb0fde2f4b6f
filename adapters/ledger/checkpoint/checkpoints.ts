import { setTimeout as sleep } from 'node:timers/promises'
import type { Secret } from '../../keys/port.ts'
import type {
  Checkpoint,
  ConsistencyProof,
  ExchangeTimes,
  Head,
  InclusionProof,
  Ledger,
  LedgerProofs,
} from '../port.ts'
import { retireWriter } from '../segment/writers.ts'
import { TreeFault, type TreeDamage } from '../tree/fault.ts'
import type { ProvenExchange, TreeCall } from '../tree/protocol.ts'
import { createTreeThread, type TreeThread } from '../tree/thread.ts'
import type { TreeHead } from '../tree/writer-tree.ts'
import { appendNote, lastNote } from './file.ts'
import { createSigner, type NoteSigner } from './note.ts'
import { originOf, printCheckpoint, readCheckpoint } from './text.ts'

/** How long the end waits for a last signature. A tree that is made anew may take longer: the next start signs. */
const LAST_MS = 5_000

export interface CheckpointOptions {
  /** The log's folder. */
  readonly folder: string
  readonly log: Pick<Ledger, 'head' | 'event'>
  /** The log's name: the first part of origins, and the name of the key. */
  readonly name: string
  readonly key: Secret
  /** Milliseconds from one checkpoint to the next. */
  readonly everyMs: number
  readonly onAlarm: (alarm: CheckpointAlarm) => void
}

/** Something about checkpoints that an operator must hear of. */
export type CheckpointAlarm =
  /** The log is not what was signed or written: nothing of this writer is signed any more, and the next start begins a new one. */
  | ({ readonly kind: 'damage'; readonly writer: string } & TreeDamage)
  /** One could not be signed or kept; told once until one can. */
  | { readonly kind: 'unsigned'; readonly error: unknown }

/** Signs the log's head again and again, also where nothing was added: that something was is a record itself. */
export function openCheckpoints(options: CheckpointOptions): LedgerProofs {
  const { writer } = options.log.head()
  const signer = createSigner(options.name, options.key)
  return new Checkpoints(options, {
    writer,
    signer,
    thread: createTreeThread({ folder: options.folder, writer }),
  })
}

class Checkpoints implements LedgerProofs {
  readonly verifierKey: string
  readonly #options: CheckpointOptions
  readonly #writer: string
  readonly #signer: NoteSigner
  readonly #thread: TreeThread
  #timer: NodeJS.Timeout | undefined
  /** Byte behind the last note that was kept. */
  #end: number
  #signed: TreeHead | undefined
  #latest: Checkpoint | undefined
  /** One signature at a time: the order of the file is that of the sizes. */
  #queue: Promise<unknown> = Promise.resolve()
  #damage: TreeFault | undefined
  #isUnsigned = false
  #closing: Promise<void> | undefined

  constructor(
    options: CheckpointOptions,
    parts: { readonly writer: string; readonly signer: NoteSigner; readonly thread: TreeThread },
  ) {
    this.#options = options
    this.#writer = parts.writer
    this.#signer = parts.signer
    this.#thread = parts.thread
    this.verifierKey = parts.signer.verifierKey
    const kept = lastNote(options.folder, parts.writer)
    this.#end = kept?.end ?? 0
    const said = readCheckpoint((kept && this.#signer.open(kept.note)) ?? '')
    if (kept !== undefined && said?.origin.endsWith(`/${parts.writer}`) === true) {
      this.#signed = said
      this.#latest = { origin: said.origin, size: said.size, note: kept.note }
    }
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#tick(), this.#options.everyMs)
    this.#timer.unref()
    void this.#tick()
  }

  latest(): Checkpoint | undefined {
    return this.#latest
  }

  fault(): string | undefined {
    return this.#damage?.message
  }

  sign(): Promise<Checkpoint> {
    const signing = this.#queue.then(() => this.#sign())
    this.#queue = signing.catch(() => undefined)
    return signing
  }

  async at(size: number): Promise<Checkpoint | undefined> {
    const last = await this.#settled()
    if (size > last.size) return undefined
    if (size === last.size) return last
    return this.#checkpointOf((await this.#thread.call({ name: 'head', size })) as TreeHead)
  }

  async inclusion(exchange: ExchangeTimes): Promise<InclusionProof | undefined> {
    const known = await this.#prove(exchange, await this.#settled())
    // What was durable at the question is in the answer, whenever the last checkpoint was signed.
    const { proof } = known.isWhole ? known : await this.#prove(exchange, await this.sign())
    return proof.records.length === 0 ? undefined : proof
  }

  async consistency(from: number, to: number): Promise<ConsistencyProof | undefined> {
    const checkpoint = from <= to ? await this.at(to) : undefined
    if (checkpoint === undefined) return undefined
    const path = await this.#thread.call({ name: 'consistency', former: from, size: to })
    return { from, to, path: printed(path as Hashes), checkpoint }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    clearInterval(this.#timer)
    const limit = new AbortController()
    await Promise.race([
      this.#tick(),
      sleep(LAST_MS, undefined, { signal: limit.signal }).catch(() => undefined),
    ])
    limit.abort()
    await this.#thread.end()
  }

  /** A checkpoint that nobody waits for. */
  async #tick(): Promise<void> {
    try {
      await this.sign()
    } catch (error) {
      if (error === this.#damage || this.#isUnsigned) return
      this.#isUnsigned = true
      this.#options.onAlarm({ kind: 'unsigned', error })
    }
  }
  async #sign(): Promise<Checkpoint> {
    if (this.#damage !== undefined) throw this.#damage
    const { log, folder } = this.#options
    const grown = await this.#grow(log.head())
    const checkpoint = this.#checkpointOf(grown)
    const note = { note: checkpoint.note, end: this.#end }
    this.#end = await appendNote(folder, this.#writer, note)
    this.#signed = grown
    this.#latest = checkpoint
    this.#isUnsigned = false
    await this.#record('checkpoint_signed', checkpoint.origin, {
      size: checkpoint.size,
      note: checkpoint.note,
    })
    return checkpoint
  }

  async #grow(head: Head): Promise<TreeHead> {
    try {
      const call: TreeCall = { name: 'advance', head, signed: this.#signed }
      return (await this.#thread.call(call)) as TreeHead
    } catch (error) {
      if (error instanceof TreeFault) await this.#damaged(error)
      throw error
    }
  }

  async #damaged(fault: TreeFault): Promise<void> {
    this.#damage = fault
    const damage = { writer: this.#writer, ...fault.damage }
    this.#options.onAlarm({ kind: 'damage', ...damage })
    await this.#record('ledger_damaged', this.#writer, fault.damage)
    retireWriter(this.#options.folder, damage)
  }

  /** Where the log takes no record, that is told elsewhere. */
  async #record(event: string, subject: string, data: object): Promise<void> {
    await this.#options.log.event({ event, subject, actor: 'gateway', data }).catch(() => undefined)
  }

  /** The last checkpoint, with a tree in the thread that has grown so far. */
  async #settled(): Promise<Checkpoint> {
    await this.#queue
    if (this.#damage !== undefined) throw this.#damage
    return this.#latest ?? this.sign()
  }

  async #prove(exchange: ExchangeTimes, checkpoint: Checkpoint) {
    const call: TreeCall = { name: 'inclusion', sought: exchange, size: checkpoint.size }
    const { records, isWhole } = (await this.#thread.call(call)) as ProvenExchange
    const told = records.map(({ n, line, path }) => ({
      n,
      line: Buffer.from(line).toString('utf8'),
      path: printed(path),
    }))
    return { proof: { checkpoint, records: told }, isWhole }
  }

  #checkpointOf({ size, root }: TreeHead): Checkpoint {
    const origin = originOf(this.#options.name, this.#writer)
    const note = this.#signer.sign(printCheckpoint({ origin, size, root: Buffer.from(root) }))
    return { origin, size, note }
  }
}

type Hashes = readonly Uint8Array[]

function printed(hashes: Hashes): readonly string[] {
  return hashes.map((hash) => Buffer.from(hash).toString('base64'))
}
