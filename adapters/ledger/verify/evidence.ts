import { leafOf, rootByPath } from './tree.ts'

/** A line that a client holds, with its proof. */
export interface HeldLine {
  readonly n: number
  readonly line: string
  readonly path: readonly Buffer[]
}

/** Something that a client holds of a log: a receipt, a checkpoint, or a proof that has both. */
export interface Evidence {
  /** The file that it was read from. */
  readonly file: string
  readonly note?: string
  readonly lines?: readonly HeldLine[]
  readonly receipt?: Readonly<Record<string, unknown>>
}

/** Reads a receipt, the answer of a proof's door, or a signed note; undefined of anything else. */
export function readEvidence(file: string, text: string): Evidence | undefined {
  if (!text.trimStart().startsWith('{')) {
    return text.includes('\n\n') ? { file, note: `${text.trimEnd()}\n` } : undefined
  }
  const held = parsed(text)
  if (held === undefined) return undefined
  const { checkpoint, records } = held
  if (typeof checkpoint === 'string' && Array.isArray(records))
    return { file, note: checkpoint, lines: records.map(heldLine) }
  return typeof held['id'] === 'string' ? { file, receipt: held } : undefined
}

/** Whether a line's proof leads to a root. */
export function isProven(
  { n, line, path }: HeldLine,
  head: { size: number; root: string },
): boolean {
  const leaf = { hash: leafOf(Buffer.from(line)), at: n - 1 }
  return rootByPath(leaf, head.size, path) === head.root
}

function heldLine(record: unknown): HeldLine {
  const { n, line, path } = record as Partial<Readonly<Record<string, unknown>>>
  const hashes = Array.isArray(path) ? path : []
  return {
    n: Number(n),
    line: String(line),
    path: hashes.map((hash) => Buffer.from(String(hash), 'base64')),
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}
