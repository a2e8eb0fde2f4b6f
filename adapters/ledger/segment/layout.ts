import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const SEGMENT = /^([0-9]{6,})\.ndlog$/
const WRITER = /^w_[A-Za-z0-9_-]+$/

/** A segment's file name: `000001.ndlog`. */
function segmentName(number: number): string {
  return `${String(number).padStart(6, '0')}.ndlog`
}

/** The numbers of the segments in a writer's folder, ascending. */
export function segmentNumbers(folder: string): readonly number[] {
  return readdirSync(folder)
    .flatMap((name) => SEGMENT.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

/** The writers that have a folder in this log, by name; none where the log does not exist yet. */
export function writerNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((item) => item.isDirectory() && WRITER.test(item.name))
      .map((item) => item.name)
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

export function segmentPath(folder: string, writer: string, number: number): string {
  return join(folder, writer, segmentName(number))
}
