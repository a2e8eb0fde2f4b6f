import { join } from 'node:path'
import type { LedgerFeed } from '../ledger/port.ts'
import type { Bucket } from '../objects/port.ts'
import { createCursorFile } from './cursor.ts'
import type { ExportNews, Exports, ExportStatus, SinkOptions } from './port.ts'
import { startPump, type Pump } from './pump.ts'
import type { Sink } from './sink.ts'
import { createBucketSink } from './sinks/bucket.ts'
import { createFiles } from './sinks/files.ts'
import { createOtlp } from './sinks/otlp.ts'
import { createWebhook } from './sinks/webhook.ts'

export interface ExportsOptions {
  readonly feed: LedgerFeed
  /** Where the cursors are kept; made where it is missing. */
  readonly folder: string
  readonly sinks: readonly SinkOptions[]
  /** The buckets that sinks may name. */
  readonly buckets: ReadonlyMap<string, Pick<Bucket, 'put'>>
  /** The program's version. */
  readonly version: string
  readonly onNews: (news: ExportNews) => void
}

/**
 * Starts to carry the feed to all sinks, each for itself: one that is down holds up nobody else, and waits with what is
 * its in the ledger.
 * @throws where a cursor is damaged
 */
export function openExports(options: ExportsOptions): Exports {
  const { feed } = options
  const pumps = options.sinks.map((sink) => ({ sink, pump: start(sink, options) }))
  return {
    status: () => pumps.map(({ sink, pump }) => statusOf(sink, pump, feed)),
    async close() {
      await Promise.all(pumps.map(({ pump }) => pump.stop()))
    },
  }
}

function start(options: SinkOptions, around: ExportsOptions): Pump {
  const { feed, folder, onNews } = around
  const { name } = options
  return startPump({
    feed,
    sink: createSink(options, around),
    cursor: createCursorFile(join(folder, `${name}.json`)),
    onState: (why) =>
      onNews(
        why === undefined ? { sink: name, kind: 'working' } : { sink: name, kind: 'failing', why },
      ),
    onRestart: () => onNews({ sink: name, kind: 'restarted' }),
  })
}

function createSink(options: SinkOptions, { version, buckets }: ExportsOptions): Sink {
  switch (options.type) {
    case 'webhook':
      return createWebhook(options, version)
    case 'otlp':
      return createOtlp(options, version)
    case 'files':
      return createFiles(options, version)
    case 'bucket':
      return createBucketSink(options, { bucket: bucketOf(options, buckets), version })
  }
}

function statusOf({ name, type }: SinkOptions, pump: Pump, feed: LedgerFeed): ExportStatus {
  const position = pump.position()
  const backlog = Math.max(0, feed.end() - position)
  return { name, type, position, backlog, ...pump.counts(), error: pump.error() }
}

function bucketOf(
  { name, bucket }: Extract<SinkOptions, { readonly type: 'bucket' }>,
  buckets: ExportsOptions['buckets'],
): Pick<Bucket, 'put'> {
  const found = buckets.get(bucket)
  if (found === undefined) throw new Error(`export \`${name}\`: there is no bucket \`${bucket}\``)
  return found
}
