/**
 * Checks a log as a stranger would: from its files alone, with the rules of the chain and of the tree written down once
 * more. It shares no code with the writer on purpose, so that one mistake cannot hide in both.
 */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Head } from './port.ts'
import { AnnouncedLogs } from './verify/announced.ts'
import type { CheckedWriter, WriterFiles } from './verify/checked.ts'
import type { Evidence } from './verify/evidence.ts'
import type { Fault } from './verify/fault.ts'
import { HeldReceipt } from './verify/held.ts'
import { keptHeads, type KeptHead } from './verify/kept.ts'
import type { VerifierKey } from './verify/note.ts'
import type { Item } from './verify/record.ts'
import { checkWriter } from './verify/writer.ts'

/** What is known of a log from elsewhere. */
export interface Known {
  /** Each must lie on the chain: it finds a log that was rewritten as a whole, or cut. */
  readonly heads?: readonly (Pick<Head, 'hash'> & Partial<Head>)[]
  /** Checkpoints, proofs and receipts that were kept elsewhere. */
  readonly evidence?: readonly Evidence[]
  /** Checkpoints must be signed with one of them; without any, signatures are not looked at. */
  readonly keys?: readonly VerifierKey[]
}

export interface Verification {
  readonly verdict: 'ok' | 'torn tail' | 'damaged'
  /** Whole lines, headers of segments included. */
  readonly records: number
  /** Hash of the last line; of the last writer where there are several. */
  readonly head: string | undefined
  /** The last line of each writer, and how many of its records are covered by a checkpoint. */
  readonly heads: readonly (Head & { readonly signed: number })[]
  /** Intents without an outcome. */
  readonly openIntents: readonly number[]
  /** At most 100. */
  readonly faults: readonly Fault[]
}

const MAX_FAULTS = 100

/**
 * Verifies segments in constant memory.
 *
 * @param source a log's folder (all its writers), a writer's folder, or the files of one writer in their order
 */
export async function verifySegments(
  source: string | readonly string[],
  known: Known = {},
): Promise<Verification> {
  const place = typeof source === 'string' ? source : (source.at(-1) ?? '')
  const check = new Check(place, known)
  for (const files of typeof source === 'string' ? await writersOf(source) : [lone(source)])
    await check.writer(files)
  return check.result()
}

function lone(segments: readonly string[]): WriterFiles {
  return { segments, whole: false }
}

/** The gateway's own logs come first: they say of those that it took in from others how far they had come. */
async function writersOf(folder: string): Promise<readonly WriterFiles[]> {
  const all = await segmentsOf(folder)
  return [...all.filter(isOwn), ...all.filter((files) => !isOwn(files))]
}

function isOwn({ segments }: WriterFiles): boolean {
  return existsSync(join(dirname(segments[0] ?? ''), 'checkpoints.txt'))
}

/** The segments of each writer, in their order. */
async function segmentsOf(folder: string): Promise<readonly WriterFiles[]> {
  const items = await readdir(folder, { withFileTypes: true })
  const segments = items
    .filter((item) => item.name.endsWith('.ndlog'))
    .map((item) => join(folder, item.name))
  if (segments.length > 0) return [{ segments: segments.sort(), whole: true }]
  const writers = items.filter((item) => item.isDirectory() && item.name.startsWith('w_'))
  const all = await Promise.all(writers.map((item) => segmentsOf(join(folder, item.name))))
  return all.flat()
}

class Check {
  readonly #place: string
  readonly #keys: readonly VerifierKey[]
  readonly #missing: Set<NonNullable<Known['heads']>[number]>
  readonly #receipts: readonly { readonly file: string; readonly held: HeldReceipt }[]
  readonly #kept: readonly KeptHead[]
  readonly #faults: Fault[] = []
  readonly #writers: CheckedWriter[] = []
  readonly #announced = new AnnouncedLogs()

  constructor(place: string, { heads = [], evidence = [], keys = [] }: Known) {
    this.#place = place
    this.#keys = keys
    this.#missing = new Set(heads)
    this.#receipts = evidence.flatMap(({ file, receipt }) =>
      receipt === undefined ? [] : { file, held: new HeldReceipt(receipt) },
    )
    const kept = keptHeads(evidence, keys)
    this.#kept = kept.heads
    for (const fault of [...kept.faults, ...kept.heads.flatMap((head) => head.alone())])
      this.#add(fault)
  }

  async writer(files: WriterFiles): Promise<void> {
    const own = isOwn(files)
    const checked = await checkWriter(files, {
      keys: this.#keys,
      sizes: new Set(this.#kept.map(({ note }) => note.size)),
      report: (fault) => this.#add(fault),
      isAnnounced: (writer) => this.#announced.has(writer),
      onLine: (writer, n, item) => {
        if (own) this.#announced.readOwn(item)
        this.#see(writer, n, item)
      },
    })
    this.#writers.push(checked)
  }

  result(): Verification {
    for (const fault of this.#kept.flatMap((kept) => kept.against(this.#writers))) this.#add(fault)
    for (const fault of this.#announced.faults(this.#writers)) this.#add(fault)
    for (const head of this.#missing) this.#judgeHead(head)
    for (const { file, held } of this.#receipts) {
      const differs = held.differs()
      if (differs !== undefined) this.#add({ kind: 'rewritten', file, offset: 0, ...differs })
    }
    const torn = this.#writers.some((writer) => writer.torn)
    return {
      verdict: this.#faults.length > 0 ? 'damaged' : torn ? 'torn tail' : 'ok',
      records: this.#writers.reduce((sum, { lines }) => sum + lines, 0),
      head: this.#writers.at(-1)?.head.hash,
      heads: this.#writers.map(({ head, signed }) => ({ ...head, signed })),
      openIntents: this.#writers.flatMap(({ openIntents }) => openIntents),
      faults: this.#faults,
    }
  }

  #add(fault: Fault): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(fault)
  }

  #see(writer: string, n: number, item: Item): void {
    for (const head of this.#missing)
      if (head.hash === item.claimed && (head.writer ?? writer) === writer && (head.n ?? n) === n)
        this.#missing.delete(head)
    this.#announced.see(writer, n, item)
    for (const { held } of this.#receipts) held.see(writer, n, item)
    for (const kept of this.#kept) kept.see(writer, n, item)
  }

  #judgeHead({ writer, n, hash }: NonNullable<Known['heads']>[number]): void {
    const at = this.#writers.find(({ head }) => head.writer === writer)
    const isBehind = n !== undefined && (at === undefined || at.head.n < n)
    const what = isBehind
      ? `the known head \`${hash}\` lies behind the end of the log`
      : n === undefined
        ? `the known head \`${hash}\` is not on the chain: the log was cut or rewritten`
        : `the chain has another hash here than the known head \`${hash}\`: it was rewritten`
    const kind = isBehind ? 'truncated' : 'rewritten'
    this.#add({ kind, file: this.#place, record: n ?? 0, offset: 0, what })
  }
}
