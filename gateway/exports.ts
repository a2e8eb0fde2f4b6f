import type { ExportNews, SinkOptions } from '../adapters/exports/port.ts'
import type { Secret } from '../adapters/keys/port.ts'
import { exportSecretName, type Config } from './config/index.ts'
import type { Log } from './ports.ts'

/** The sinks of a configuration, with their secrets. */
export function sinksOf(
  { ledger }: Pick<Config, 'ledger'>,
  secrets: ReadonlyMap<string, Secret>,
): readonly SinkOptions[] {
  return ledger.exports.map((sink) => {
    if (sink.type === 'files' || sink.type === 'bucket') return sink
    const authorization = secrets.get(exportSecretName(sink.name, 'authorization'))
    if (sink.type === 'otlp') return { ...sink, authorization }
    return { ...sink, authorization, secret: secrets.get(exportSecretName(sink.name, 'secret')) }
  })
}

const MESSAGES: Readonly<Record<ExportNews['kind'], string>> = {
  failing: 'an export does not get through; what is its waits in the ledger',
  working: 'an export gets through again',
  restarted: 'an export had been at another ledger; it begins anew',
}

/** Writes to the log what an operator should hear of exports: each change once. */
export function exportNews(log: Log): (news: ExportNews) => void {
  return ({ kind, ...fields }) => {
    if (kind === 'working') log.info(fields, MESSAGES[kind])
    else log.warn(fields, MESSAGES[kind])
  }
}
