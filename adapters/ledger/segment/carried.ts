import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'carried.json'

/**
 * Notes which intents were open when a segment began. With it a start reads one segment instead of all.
 * It is a hint: where it is missing or torn, everything is read.
 */
export function writeCarried(folder: string, segment: number, open: Iterable<number>): void {
  const temporary = join(folder, `${NAME}.new`)
  writeFileSync(temporary, JSON.stringify({ segment, open: [...open] }), { mode: 0o600 })
  renameSync(temporary, join(folder, NAME))
}

/** The intents that were open when this segment began; undefined where that is not known. */
export function readCarried(folder: string, segment: number): readonly number[] | undefined {
  if (segment === 1) return undefined
  try {
    const note: unknown = JSON.parse(readFileSync(join(folder, NAME), 'utf8'))
    return isCarried(note) && note.segment === segment ? note.open : undefined
  } catch {
    return undefined
  }
}

function isCarried(note: unknown): note is { segment: number; open: readonly number[] } {
  return (
    typeof note === 'object' &&
    note !== null &&
    'segment' in note &&
    'open' in note &&
    Array.isArray(note.open) &&
    note.open.every(Number.isSafeInteger)
  )
}
