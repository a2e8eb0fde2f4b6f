import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Chain } from './chain.ts'
import type { CheckedWriter, WriterFiles } from './checked.ts'
import type { Fault, Report } from './fault.ts'
import { judgeNotes } from './heads.ts'
import { linesOf } from './lines.ts'
import { readNote, splitNotes, type ReadNote, type VerifierKey } from './note.ts'
import { itemOf, type Item } from './record.ts'
import { GrowingRoot } from './tree.ts'

interface Watch {
  readonly keys: readonly VerifierKey[]
  /** Sizes at which the root is wanted. */
  readonly sizes: ReadonlySet<number>
  readonly report: Report
  /** Whether another log, which is signed, says how far this one had come. */
  readonly isAnnounced: (writer: string) => boolean
  /** Shown each line: the number of its record, 0 for a header. */
  readonly onLine: (writer: string, n: number, item: Item) => void
}

/** Checks a writer's chain, and its own checkpoints against it. */
export async function checkWriter(files: WriterFiles, watch: Watch): Promise<CheckedWriter> {
  const { file, notes } = ownNotes(files, watch.keys)
  const faults: Fault[] = []
  const pass = new Pass(files, { ...watch, report: (fault) => void faults.push(fault) })
  for (const { size } of notes) pass.want(size)
  for (const size of watch.sizes) pass.want(size)
  for (const segment of files.segments) await pass.segment(segment)
  const checked = pass.end(faults)
  if (!files.whole) {
    for (const fault of faults) watch.report(fault)
    return { ...checked, signed: 0 }
  }
  const judged = judgeNotes(notes, checked, {
    file,
    isKeyed: watch.keys.length > 0,
    isBound: watch.isAnnounced(checked.head.writer),
  })
  for (const fault of [...faults, ...judged.faults]) watch.report(fault)
  return { ...checked, signed: judged.signed }
}

function ownNotes(
  { segments, whole }: WriterFiles,
  keys: readonly VerifierKey[],
): { readonly file: string; readonly notes: readonly ReadNote[] } {
  const file = join(dirname(segments[0] ?? ''), 'checkpoints.txt')
  const text = whole && existsSync(file) ? readFileSync(file, 'utf8') : ''
  return { file, notes: splitNotes(text).flatMap((note) => readNote(note, keys) ?? []) }
}

class Pass {
  readonly #files: WriterFiles
  readonly #watch: Watch
  readonly #chain: Chain
  readonly #tree = new GrowingRoot()
  readonly #wanted = new Set<number>()
  readonly #roots = new Map<number, string>()
  readonly #open = new Set<number>()
  #writer: string
  #hash = ''
  #n = 0
  #lines = 0
  #torn = false

  constructor(files: WriterFiles, watch: Watch) {
    this.#files = files
    this.#watch = watch
    this.#writer = basename(dirname(files.segments[0] ?? ''))
    this.#chain = new Chain({ whole: files.whole, report: watch.report })
  }

  want(size: number): void {
    this.#wanted.add(size)
    if (size === 0) this.#roots.set(0, this.#tree.root())
  }

  async segment(file: string): Promise<void> {
    let isFirst = true
    for await (const line of linesOf(file)) {
      if (line.end === 'torn' && file === this.#files.segments.at(-1)) {
        this.#torn = true
        return
      }
      this.#lines += line.end === 'whole' ? 1 : 0
      const item = line.end === 'whole' ? itemOf(line) : undefined
      if (item === undefined || !isNumbered(item))
        this.#chain.unreadable(line, isFirst ? 'header' : 'record', WRONG[line.end])
      else if (isFirst) this.#header(item)
      else this.#record(item)
      isFirst = false
    }
  }

  end(faults: readonly Fault[]): Omit<CheckedWriter, 'signed'> {
    this.#chain.end()
    return {
      head: { writer: this.#writer, n: this.#chain.last(), hash: this.#hash },
      openIntents: [...this.#open],
      torn: this.#torn,
      lines: this.#lines,
      isWhole: faults.length === 0,
      root: (size) => this.#roots.get(size),
    }
  }

  #header(item: Item): void {
    const { writer, first } = item.fields
    if (typeof writer === 'string' && this.#lines === 1) this.#writer = writer
    this.#chain.header(item)
    this.#hash = item.claimed
    if (typeof first === 'number') this.#n = first - 1
    this.#watch.onLine(this.#writer, this.#n, item)
  }

  #record(item: Item): void {
    const { n, kind, intent } = item.fields
    const number = Number(n)
    this.#chain.record({ item, n: number })
    this.#tree.add(item.line.bytes)
    if (this.#wanted.has(this.#tree.size)) this.#roots.set(this.#tree.size, this.#tree.root())
    this.#hash = item.claimed
    this.#n = number
    if (kind === 'intent') this.#open.add(number)
    if (kind === 'outcome' && typeof intent === 'number') this.#open.delete(intent)
    this.#watch.onLine(this.#writer, number, item)
  }
}

function isNumbered({ fields }: Item): boolean {
  return typeof fields['n'] === 'number'
}

const WRONG = {
  whole: 'the line is not a hash, a space and a JSON object',
  torn: 'the last line is not whole, though a segment follows',
  endless: 'the line has no end',
} as const
