import type { CheckedWriter } from './checked.ts'
import type { Fault } from './fault.ts'
import type { ReadNote } from './note.ts'

type Checked = Pick<CheckedWriter, 'head' | 'isWhole' | 'root'>

/** What a writer's own checkpoints say of its log. */
export interface JudgedNotes {
  readonly faults: readonly Fault[]
  /** How many records the last one covers that fits; 0 where none does. */
  readonly signed: number
}

/** Where a writer's checkpoints lie, and what is asked of them. */
interface NotesPlace {
  readonly file: string
  /** They must be signed with a given key. */
  readonly isKeyed: boolean
  /** Another log, which is signed, binds this one: it may have none. */
  readonly isBound: boolean
}

/** Compares a writer's own checkpoints, as they lie beside its log, with the log; of each kind of fault the first is told. */
export function judgeNotes(
  notes: readonly ReadNote[],
  checked: Checked,
  { file, isKeyed, isBound }: NotesPlace,
): JudgedNotes {
  const { head, isWhole, root } = checked
  const isTrusted = (note: ReadNote) =>
    note.origin.endsWith(`/${head.writer}`) && (note.isSigned || !isKeyed)
  const trusted = notes.filter(isTrusted)
  const fits = trusted.filter((note) => root(note.size) === note.root)
  const faults: Fault[] = []
  const add = (kind: Fault['kind'], record: number, what: string) =>
    faults.push({ kind, file, record, offset: 0, what })

  const resigned = isKeyed ? notes.filter((note) => !isTrusted(note)) : []
  if (resigned[0] !== undefined)
    add(
      'resigned',
      resigned[0].size,
      `${resigned.length} of its checkpoints are not signed with the key`,
    )
  else if (isKeyed && !isBound && trusted.length === 0 && head.n > 0)
    add('unsigned', 1, 'no checkpoint of this log is signed with the key')
  const twice = forkOf(trusted)
  if (twice !== undefined)
    add('forked', twice, `two checkpoints of ${twice} records have two roots`)
  const beyond = trusted.find(({ size }) => size > head.n)
  if (beyond !== undefined)
    add('truncated', head.n + 1, `the log ends here, its checkpoint covers ${beyond.size} records`)
  const other = trusted.find(({ size, root: said }) => size <= head.n && root(size) !== said)
  if (isWhole && twice === undefined && other !== undefined)
    add(
      'rewritten',
      other.size,
      `the log has another root than its checkpoint of ${other.size} records`,
    )
  return { faults, signed: Math.max(0, ...fits.map(({ size }) => size)) }
}

/** The first size for which there are two roots. */
function forkOf(notes: readonly ReadNote[]): number | undefined {
  const roots = new Map<number, string>()
  for (const { size, root } of notes) {
    if ((roots.get(size) ?? root) !== root) return size
    roots.set(size, root)
  }
  return undefined
}

/** What a checkpoint that was kept elsewhere says against the log; undefined where nothing. */
export function judgeKept(
  kept: ReadNote,
  checked: Checked & { readonly signed: number },
): Pick<Fault, 'kind' | 'record' | 'what'> | undefined {
  const { head, isWhole, root, signed } = checked
  if (kept.size > head.n) {
    const what = `the log ends here, the checkpoint covers ${kept.size} records`
    return { kind: 'truncated', record: head.n + 1, what }
  }
  if (!isWhole || root(kept.size) === kept.root) return undefined
  const what = `the log has another root than the checkpoint of ${kept.size} records`
  // The log bears a signature of its own over what the other one contradicts.
  return { kind: signed >= kept.size ? 'forked' : 'rewritten', record: kept.size, what }
}
