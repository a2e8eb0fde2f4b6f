import { closeSync, openSync } from 'node:fs'
import type { ExchangeTimes } from '../port.ts'
import { segmentPath } from '../segment/layout.ts'
import { readLines } from '../segment/lines.ts'
import { fieldsOf, segmentHeads, type SegmentHead } from './records.ts'
import type { TreeFiles } from './writer-tree.ts'

/** A record of an exchange, as its line stands in the log. */
export interface FoundRecord {
  readonly n: number
  readonly line: Uint8Array
}

/** How far a record's time may lie from that of the segment which holds it, in milliseconds. */
const SLACK_MS = 60_000

/**
 * Finds the records of an exchange: intent and outcome, the intent alone while it is open, or the refusal. Only records
 * up to the number `last` count.
 */
export function findRecords(
  files: TreeFiles,
  sought: ExchangeTimes,
  last: number,
): { readonly records: readonly FoundRecord[]; readonly isWhole: boolean } {
  const heads = segmentHeads(files.folder, files.writer)
  const likely = searched(files, heads.filter(isLikely(sought)), { sought, last })
  // A clock that was set back, or a record that waited through an outage, is found all the same.
  const found = likely.done() ? likely : searched(files, heads, { sought, last })
  return { records: found.records(), isWhole: found.done() }
}

/** Whether a segment may hold records of the time in which the exchange was open. */
function isLikely({ opened, closed = opened }: ExchangeTimes) {
  const [from, to] = [Date.parse(opened) - SLACK_MS, Date.parse(closed) + SLACK_MS]
  return (head: SegmentHead, at: number, heads: readonly SegmentHead[]): boolean => {
    const next = heads[at + 1]
    return Date.parse(head.opened) <= to && (next === undefined || Date.parse(next.opened) >= from)
  }
}

function searched(
  { folder, writer }: TreeFiles,
  heads: readonly SegmentHead[],
  wanted: { readonly sought: ExchangeTimes; readonly last: number },
): Search {
  const search = new Search(wanted.sought, wanted.last)
  for (const { number } of heads) search.segment(segmentPath(folder, writer, number))
  return search
}

const OUTCOME = /^\{"kind":"outcome","n":\d+,"intent":(\d+)[,}]/

class Search {
  readonly #sought: ExchangeTimes
  readonly #mark: Buffer
  readonly #last: number
  #first: (FoundRecord & { readonly kind: unknown }) | undefined
  #outcome: FoundRecord | undefined

  constructor(sought: ExchangeTimes, last: number) {
    this.#sought = sought
    this.#mark = Buffer.from(JSON.stringify(sought.id))
    this.#last = last
  }

  done(): boolean {
    if (this.#first === undefined) return false
    const isAll = this.#first.kind === 'refusal' || this.#sought.closed === undefined
    return isAll || this.#outcome !== undefined
  }

  records(): readonly FoundRecord[] {
    const both = [this.#first, this.#outcome].filter((one) => one !== undefined)
    return both.map(({ n, line }) => ({ n, line }))
  }

  segment(path: string): void {
    if (this.done()) return
    const fd = openSync(path, 'r')
    try {
      for (const { bytes } of readLines(fd, 0)) {
        if (this.done()) return
        this.#look(bytes)
      }
    } finally {
      closeSync(fd)
    }
  }

  #look(line: Buffer): void {
    if (this.#first === undefined) {
      const fields = line.includes(this.#mark) ? fieldsOf(line) : undefined
      if (fields?.['id'] !== this.#sought.id || Number(fields['n']) > this.#last) return
      this.#first = { n: Number(fields['n']), kind: fields['kind'], line: Buffer.from(line) }
    } else if (Number(OUTCOME.exec(line.toString('latin1', 65, 160))?.[1]) === this.#first.n) {
      const n = Number(fieldsOf(line)?.['n'])
      if (n <= this.#last) this.#outcome = { n, line: Buffer.from(line) }
    }
  }
}
