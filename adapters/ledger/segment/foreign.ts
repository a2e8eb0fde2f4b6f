import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MARK = 'foreign.json'

/** Whether a writer's log was taken in from another recorder: it is kept and checked, and nothing is appended of our own. */
export function isForeign(folder: string, writer: string): boolean {
  return existsSync(join(folder, writer, MARK))
}

/** Makes the folder of a recorder's log. It has its mark as soon as it has its name: no start takes it for our own. */
export function makeForeign(folder: string, writer: string): void {
  // Writers' names begin otherwise, so that nobody looks into it.
  const temporary = join(folder, `.new-${writer}`)
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(temporary, { mode: 0o700 })
  writeMark(temporary, 0)
  renameSync(temporary, join(folder, writer))
}

/** The last number that an event of our own log has named; 0 where none has. A mark that cannot be read is taken for that. */
export function announcedOf(folder: string, writer: string): number {
  try {
    const mark: unknown = JSON.parse(readFileSync(join(folder, writer, MARK), 'utf8'))
    const n: unknown = typeof mark === 'object' && mark !== null && 'n' in mark ? mark.n : 0
    return Number.isSafeInteger(n) ? Number(n) : 0
  } catch {
    return 0
  }
}

export function setAnnounced(folder: string, writer: string, n: number): void {
  writeMark(join(folder, writer), n)
}

function writeMark(folder: string, n: number): void {
  const temporary = join(folder, `${MARK}.new`)
  writeFileSync(temporary, `${JSON.stringify({ n })}\n`, { mode: 0o600 })
  renameSync(temporary, join(folder, MARK))
}
