import { join } from 'node:path'
import type { LedgerFeed } from '../ledger/port.ts'
import { createCursorFile } from './cursor.ts'
import type { ExportNews, Exports, ExportStatus, SinkOptions } from './port.ts'
import { startPump, type Pump } from './pump.ts'
import type { Sink } from './sink.ts'
import { createFiles } from './sinks/files.ts'
import { createOtlp } from './sinks/otlp.ts'
import { createWebhook } from './sinks/webhook.ts'

export interface ExportsOptions {
  readonly feed: LedgerFeed
  /** Where the cursors are kept; made where it is missing. */
  readonly folder: string
  readonly sinks: readonly SinkOptions[]
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

function start(options: SinkOptions, { feed, folder, version, onNews }: ExportsOptions): Pump {
  const { name } = options
  return startPump({
    feed,
    sink: createSink(options, version),
    cursor: createCursorFile(join(folder, `${name}.json`)),
    onState: (why) =>
      onNews(
        why === undefined ? { sink: name, kind: 'working' } : { sink: name, kind: 'failing', why },
      ),
    onRestart: () => onNews({ sink: name, kind: 'restarted' }),
  })
}

function createSink(options: SinkOptions, version: string): Sink {
  switch (options.type) {
    case 'webhook':
      return createWebhook(options, version)
    case 'otlp':
      return createOtlp(options, version)
    case 'files':
      return createFiles(options, version)
  }
}

function statusOf({ name, type }: SinkOptions, pump: Pump, feed: LedgerFeed): ExportStatus {
  const position = pump.position()
  const backlog = Math.max(0, feed.end() - position)
  return { name, type, position, backlog, ...pump.counts(), error: pump.error() }
}
