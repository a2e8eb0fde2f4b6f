import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { openLedgerIndex, type FeedingIndex } from '../../../../adapters/ledger/index/open.ts'
import { openIngest } from '../../../../adapters/ledger/ingest/open.ts'
import type { Ingested, IngestFault } from '../../../../adapters/ledger/port.ts'
import type { SegmentLog } from '../../../../adapters/ledger/segment/log.ts'
import { makeFolder, openLog, segmentFiles } from '../rig.ts'

/** Our own log, and the door for those of others. */
export interface Home {
  readonly folder: string
  readonly log: SegmentLog
  /** Takes lines in, in pieces of this size. */
  take(lines: readonly string[], piece?: number): Promise<Ingested>
  /** The fault for which lines are not taken in. */
  faultOf(lines: readonly string[]): Promise<IngestFault>
}

export async function openHome(t: Test, folder = makeFolder(t)): Promise<Home> {
  const { log } = await openLog(folder)
  t.teardown(() => log.close())
  const ingest = openIngest({ folder, log })
  const take = (lines: readonly string[], piece = 65_536) =>
    ingest.take(pieces(lines.map((line) => `${line}\n`).join(''), piece))
  return {
    folder,
    log,
    take,
    async faultOf(lines) {
      try {
        const done = await take(lines)
        throw new Error(`it was taken in: ${JSON.stringify(done)}`)
      } catch (error) {
        if ((error as Error).name !== 'IngestFault') throw error
        return error as IngestFault
      }
    },
  }
}

export async function openIndexOf(t: Test, { folder, log }: Home): Promise<FeedingIndex> {
  const index = await openLedgerIndex({ folder, file: join(folder, 'index.sqlite'), log })
  t.teardown(() => index.close())
  return index
}

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** A recorder of its own: the lines of each of its segments. */
export async function record(
  t: Test,
  count: number,
  options: { readonly origin?: string; readonly rotateBytes?: number } = {},
): Promise<readonly (readonly string[])[]> {
  const folder = makeFolder(t)
  const { origin = 'sidecar:box-1', rotateBytes = 1e9 } = options
  const { log } = await openLog(folder, { rotateBytes })
  for (let at = 1; at <= count; at += 1) {
    const intent = await log.intent({
      id: `${origin}-${at}`,
      origin,
      tool: 'HTTP_GET',
      task: 'T-ü',
    })
    await log.outcome(intent, { outcome: 'allowed', ran: true })
    if (at % 3 === 0)
      await log.event({ event: 'box_checked', subject: 'b', actor: 'box', data: {} })
  }
  await log.close()
  return segmentFiles(folder).map((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
}

/** The name of a recorder's writer, from its first line. */
export function writerOf([header = '']: readonly string[]): string {
  return String((JSON.parse(header.slice(65)) as { readonly writer: string }).writer)
}
