import { mkdirSync, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** How far a sink has come. */
export interface Cursor {
  /** Position of the last item that was acknowledged; 0 where none was. */
  readonly position: number
  /** That item's id, by which another ledger under the same name is noticed. */
  readonly id: string | null
  /** Last position of the batch that was begun: it is delivered again as it was. */
  readonly until: number | null
}

export const AT_THE_START: Cursor = { position: 0, id: null, until: null }

/** Where a sink's cursor is kept. */
export interface CursorFile {
  read(): Cursor
  /** Replaces it whole; `durable` asks that it outlasts a power cut. */
  write(cursor: Cursor, durability: 'durable' | 'soon'): Promise<void>
}

/**
 * A cursor in a file. One that is missing is at the start.
 * @throws where the file holds something else, so that nothing is delivered twice by mistake
 */
export function createCursorFile(path: string): CursorFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return {
    read: () => readCursor(path),
    async write({ position, id, until }, durability) {
      const temporary = `${path}.new`
      const handle = await open(temporary, 'w', 0o600)
      try {
        await handle.writeFile(`${JSON.stringify({ position, id, until })}\n`)
        if (durability === 'durable') await handle.datasync()
      } finally {
        await handle.close()
      }
      await rename(temporary, path)
    },
  }
}

function readCursor(path: string): Cursor {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return AT_THE_START
    throw error
  }
  const value = parse(text)
  if (isCursor(value)) return value
  throw new Error(`export cursor ${path}: it is damaged; delete it to deliver everything again`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isCursor(value: unknown): value is Cursor {
  if (typeof value !== 'object' || value === null) return false
  const { position, id, until } = value as Readonly<Record<string, unknown>>
  return (
    Number.isSafeInteger(position) &&
    (typeof id === 'string' || id === null) &&
    (Number.isSafeInteger(until) || until === null)
  )
}
