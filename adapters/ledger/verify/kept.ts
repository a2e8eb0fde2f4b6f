import type { CheckedWriter } from './checked.ts'
import { isProven, type Evidence, type HeldLine } from './evidence.ts'
import type { Fault } from './fault.ts'
import { judgeKept } from './heads.ts'
import { readNote, type ReadNote, type VerifierKey } from './note.ts'
import type { Item } from './record.ts'

/** A checkpoint that was kept elsewhere, with the lines that are proved against it. */
export class KeptHead {
  readonly note: ReadNote
  readonly #file: string
  readonly #isTrusted: boolean
  /** Lines that were not met in the log so far. */
  readonly #unseen: Map<number, HeldLine>

  constructor(
    file: string,
    note: ReadNote,
    parts: { readonly lines: readonly HeldLine[]; readonly isKeyed: boolean },
  ) {
    this.#file = file
    this.note = note
    this.#isTrusted = note.isSigned || !parts.isKeyed
    this.#unseen = new Map(parts.lines.map((held) => [held.n, held]))
  }

  /** What is wrong with it, whatever the log says. */
  alone(): readonly Fault[] {
    const resigned = this.#fault(
      'resigned',
      this.note.size,
      'the checkpoint is not signed with the key',
    )
    const wrong = [...this.#unseen.values()].filter((held) => !isProven(held, this.note))
    const unproven = wrong.map(({ n }) =>
      this.#fault('unproven', n, 'the proof does not lead to its checkpoint'),
    )
    return this.#isTrusted ? unproven : [resigned, ...unproven]
  }

  /** Shows it a record of a log. */
  see(writer: string, n: number, { line, fields }: Item): void {
    const held =
      this.#isOf(writer) && fields['kind'] !== 'segment' ? this.#unseen.get(n) : undefined
    if (held !== undefined && line.bytes.equals(Buffer.from(held.line))) this.#unseen.delete(n)
  }

  /** What it says against the log, once all of that was shown. */
  against(writers: readonly CheckedWriter[]): readonly Fault[] {
    if (!this.#isTrusted) return []
    const { origin, size } = this.note
    const writer = writers.find(({ head }) => this.#isOf(head.writer))
    if (writer === undefined)
      return [this.#fault('rewritten', size, `the log of \`${origin}\` is not here`)]
    const judged = judgeKept(this.note, writer)
    const gone = [...this.#unseen.keys()].map((n) =>
      this.#fault('rewritten', n, `the log has not the line that was kept of record ${n}`),
    )
    return judged === undefined ? gone : [{ file: this.#file, offset: 0, ...judged }, ...gone]
  }

  #isOf(writer: string): boolean {
    return this.note.origin.endsWith(`/${writer}`)
  }

  #fault(kind: Fault['kind'], record: number, what: string): Fault {
    return { kind, file: this.#file, record, offset: 0, what }
  }
}

/** The checkpoints among what was kept, and the files that hold none though they say so. */
export function keptHeads(
  evidence: readonly Evidence[],
  keys: readonly VerifierKey[],
): { readonly heads: readonly KeptHead[]; readonly faults: readonly Fault[] } {
  const heads: KeptHead[] = []
  const faults: Fault[] = []
  for (const { file, note, lines = [] } of evidence) {
    if (note === undefined) continue
    const read = readNote(note, keys)
    if (read !== undefined)
      heads.push(new KeptHead(file, read, { lines, isKeyed: keys.length > 0 }))
    else faults.push({ kind: 'malformed', file, record: 0, offset: 0, what: 'it is no checkpoint' })
  }
  return { heads, faults }
}
