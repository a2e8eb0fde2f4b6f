import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { isForeign } from '../segment/foreign.ts'
import { segmentNumbers, segmentPath, writerNames } from '../segment/layout.ts'
import { readLines } from '../segment/lines.ts'

/** Counts the whole lines of a log that its index does not have yet, headers of segments left out. */
export function countUnindexed(db: Database.Database, folder: string): number {
  const position = db.prepare<[string], { segment: number; next: number }>(
    'SELECT segment, next FROM writers WHERE name = ?',
  )
  let count = 0
  for (const writer of writerNames(folder).filter((name) => !isForeign(folder, name))) {
    const { segment, next } = position.get(writer) ?? { segment: 0, next: 0 }
    for (const number of segmentNumbers(join(folder, writer)).filter((each) => each >= segment)) {
      count += countRecords(segmentPath(folder, writer, number), number === segment ? next : 0)
    }
  }
  return count
}

function countRecords(path: string, from: number): number {
  const fd = openSync(path, 'r')
  try {
    let lines = 0
    for (const line of readLines(fd, from)) if (line.offset > 0) lines += 1
    return lines
  } finally {
    closeSync(fd)
  }
}
