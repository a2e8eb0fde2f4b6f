import { createHash } from 'node:crypto'
import { parseCaveat, TokenFault, type Caveat } from '../../../../policy/index.ts'
import { lineOf, type Row } from './rows.ts'

/** What the parser says of lines. */
export interface Judged {
  readonly lines: readonly string[]
  /** By their place: what is wrong with each line, and how to repair it. */
  readonly faults: ReadonlyMap<number, string>
  /** What is wrong with all of them together. */
  readonly fault?: string
  /** The lines as they were read; empty where any fault was found. */
  readonly caveats: readonly Caveat[]
  /** Names these very lines. */
  readonly digest: string
}

/** Reads the lines of a form one by one, then as a whole: `whole` throws what is wrong with them together. */
export function judgeRows(rows: readonly Row[], whole: (lines: readonly string[]) => void): Judged {
  const lines = rows.map(lineOf)
  const read = lines.map((line) => faultOf(() => parseCaveat(line)))
  const faults = new Map(
    read.flatMap((fault, at) => (fault === undefined ? [] : [[at, fault.reason]])),
  )
  const digest = createHash('sha256').update(JSON.stringify(lines)).digest('base64url')
  if (faults.size > 0) return { lines, faults, caveats: [], digest }
  const fault = faultOf(() => whole(lines))
  if (fault === undefined) return { lines, faults, caveats: lines.map(parseCaveat), digest }
  const at = fault.line === undefined ? -1 : lines.lastIndexOf(fault.line)
  if (at >= 0) return { lines, faults: new Map([[at, fault.reason]]), caveats: [], digest }
  return { lines, faults, fault: fault.reason, caveats: [], digest }
}

function faultOf(read: () => unknown): TokenFault | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof TokenFault) return error
    throw error
  }
}
