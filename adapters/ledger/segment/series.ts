import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { writeCarried } from './carried.ts'
import { createBatchEncoder, type ChainEnd } from './encoder.ts'
import type { Entry } from './entry.ts'
import { createSegment, reopenSegment, SEALED, type SegmentFile, type Syncing } from './file.ts'
import { segmentPath } from './layout.ts'
import type { Recovered } from './recovery.ts'

/** The segments of one writer, of which the last is written to. Calls must not overlap. */
export interface SegmentSeries {
  /** Whether the next write needs `begin` first: there is no segment, or it has its size. */
  full(): boolean
  /** Begins the next segment; everything written must be durable. What a failure left behind is cut first. */
  begin(): Promise<void>
  /** Writes the records behind the last one and numbers them. Where each write syncs, nothing unsynced may be before them. */
  write(entries: readonly Entry[], syncing: Syncing): Promise<void>
  /** Makes everything written durable. */
  sync(): Promise<void>
  /** Ends the segment after an error: what was not durable counts as never written. */
  abandon(): void
  /** The last durable line. */
  durable(): ChainEnd
  close(): Promise<void>
}

export interface SeriesOptions {
  readonly folder: string
  readonly recovered: Recovered
  readonly rotateBytes: number
  readonly now: () => number
  /** The intents that are open when a segment begins. */
  readonly openIntents: () => Iterable<number>
}

/** Goes on where recovery ended. */
export async function createSegmentSeries(options: SeriesOptions): Promise<SegmentSeries> {
  const { folder, recovered, rotateBytes, now } = options
  const { writer } = recovered
  const encoder = createBatchEncoder()
  let number = recovered.segment?.number ?? 0
  // A crash may have come between a segment and the sealing of the one before it.
  if (number > 1)
    await chmod(segmentPath(folder, writer, number - 1), SEALED).catch(() => undefined)
  let durable = recovered.end
  let written = durable
  /** Left by an error, and still to be cut. */
  let broken: SegmentFile | undefined
  let file =
    recovered.segment &&
    (await reopenSegment(segmentPath(folder, writer, number), recovered.segment.size))

  return {
    full: () => file === undefined || file.size() >= rotateBytes,
    async begin() {
      await broken?.cut()
      const former = broken ?? file
      const opened = new Date(now()).toISOString()
      const path = segmentPath(folder, writer, number + 1)
      const next = await createSegment(path, { writer, end: durable, opened })
      file = next.file
      broken = undefined
      number += 1
      durable = written = { n: durable.n, hash: next.hash }
      writeCarried(join(folder, writer), number, options.openIntents())
      // Its rights are a help against mistakes; the log goes on without.
      await former?.seal().catch(() => undefined)
      await former?.close()
    },
    async write(entries, syncing) {
      if (file === undefined) throw new Error('a segment must be begun before it is written to')
      const { bytes, end } = encoder.encode(entries, written)
      await file.write(bytes, syncing)
      written = end
    },
    async sync() {
      await file?.sync()
      durable = written
    },
    abandon() {
      broken ??= file
      file = undefined
      written = durable
    },
    durable: () => durable,
    async close() {
      await file?.close()
    },
  }
}
