import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../adapters/clock/system.ts'
import { openSegmentLog } from '../../../adapters/ledger/segment/log.ts'
import type { Contender } from './contender.ts'

/** Our log in strict mode, a record for each receipt as its peers have it. */
export async function segmentLog(folder: string): Promise<Contender> {
  const log = await openSegmentLog({ folder, mode: 'strict', clock: systemClock })
  return {
    name: 'segment log, strict',
    append: ({ whole }) => log.refusal(whole.record, whole.json),
    kept: async () =>
      recordsIn(folder).flatMap(({ kind, n: _n, ...record }) =>
        kind === 'refusal' ? [record] : [],
      ),
    close: () => log.close(),
  }
}

/** The same as a call has it: an intent that is durable, and then an outcome that is. */
export async function segmentLogTwice(folder: string): Promise<Contender> {
  const log = await openSegmentLog({ folder, mode: 'strict', clock: systemClock })
  return {
    name: 'segment log, intent and outcome',
    async append({ intent, outcome }) {
      const place = await log.intent(intent.record, intent.json)
      return log.outcome(place, outcome.record, outcome.json)
    },
    kept: async () => joined(recordsIn(folder)),
    close: () => log.close(),
  }
}

function joined(records: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
  const intents = new Map(records.map((record) => [record['n'], record]))
  return records.flatMap(({ kind, n: _n, intent, ...last }) => {
    if (kind !== 'outcome') return []
    const { kind: _kind, n: _of, ...first } = intents.get(intent) ?? {}
    return [{ ...first, ...last }]
  })
}

function recordsIn(folder: string): readonly Readonly<Record<string, unknown>>[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.ndlog'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line.slice(HASH_CHARS)) as Readonly<Record<string, unknown>>)
}

/** A line begins with its hash and a space. */
const HASH_CHARS = 65
