import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { LedgerAlarm } from '../../../adapters/ledger/segment/alarm.ts'
import {
  openSegmentLog,
  type SegmentLog,
  type SegmentLogOptions,
} from '../../../adapters/ledger/segment/log.ts'

/** How much more (or less) the tests with many runs are to do. */
export const RUNS = Number(process.env.NARROWGATE_RUNS_FACTOR ?? 1)

const START = Date.parse('2026-11-29T12:00:00Z')

/** A folder that goes with its test. */
export function makeFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-ledger-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a strict log at a fixed time, and notes its alarms. */
export async function openLog(
  folder: string,
  options: Partial<SegmentLogOptions> = {},
): Promise<{ log: SegmentLog; alarms: LedgerAlarm[] }> {
  const alarms: LedgerAlarm[] = []
  const clock = { now: () => START }
  const onAlarm = (alarm: LedgerAlarm) => void alarms.push(alarm)
  return {
    log: await openSegmentLog({ folder, mode: 'strict', clock, onAlarm, ...options }),
    alarms,
  }
}

/** The files of all segments, in order, or those of one writer. */
export function segmentFiles(folder: string, writer = 'w_'): readonly string[] {
  const writers = readdirSync(folder).filter((name) => name.startsWith(writer))
  return writers.flatMap((writer) =>
    readdirSync(join(folder, writer))
      .filter((name) => name.endsWith('.ndlog'))
      .sort()
      .map((name) => join(folder, writer, name)),
  )
}

/** All records of a log, headers included. */
export function recordsOf(folder: string, writer?: string): readonly Record<string, unknown>[] {
  return segmentFiles(folder, writer).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line.slice(65)) as Record<string, unknown>),
  )
}

/** Writes a small log with one of each kind of record; two exchanges, of which one stays open. */
export async function writeSmallLog(folder: string): Promise<void> {
  const { log } = await openLog(folder)
  const intent = await log.intent({ id: 'one', task: 'T-7', tool: 'HTTP_GET' })
  await log.outcome(intent, { outcome: 'allowed', status: 200 })
  await log.refusal({ id: 'two', outcome: 'refused', task: 'T-7/3' })
  await log.event({
    event: 'grant_revoked',
    subject: 'g',
    actor: 'owner',
    data: { note: 'ä "quoted"' },
  })
  await log.intent({ id: 'three', task: 'T-8' })
  await log.close()
}
