import { systemClock } from '../adapters/clock/system.ts'
import { openExports } from '../adapters/exports/open.ts'
import type { Exports } from '../adapters/exports/port.ts'
import type { Secret } from '../adapters/keys/port.ts'
import { openCheckpoints } from '../adapters/ledger/checkpoint/checkpoints.ts'
import { openIngest } from '../adapters/ledger/ingest/open.ts'
import { openLedgerIndex } from '../adapters/ledger/index/open.ts'
import type {
  Ledger,
  LedgerFeed,
  LedgerIndex,
  LedgerIngest,
  LedgerProofs,
} from '../adapters/ledger/port.ts'
import { openSegmentLog } from '../adapters/ledger/segment/log.ts'
import { recordStop } from './audit.ts'
import { LEDGER_URL, type Config } from './config/index.ts'
import { exportNews, sinksOf } from './exports.ts'
import type { Log } from './ports.ts'
import type { State } from './state/open.ts'
import { databaseFiles } from './state/paths.ts'
import { openTeamIndex } from './stores.ts'
import { VERSION } from './version.ts'

/** The log with all that reads it. */
export interface LedgerParts {
  readonly ledger: Ledger
  /** What answers questions: the embedded index, or that of the team. */
  readonly index: LedgerIndex
  /** This gateway's own; the embedded index numbers it. */
  readonly feed: LedgerFeed
  readonly proofs: LedgerProofs
  readonly exports: Exports
  readonly ingest: LedgerIngest
}

/** What is around it. */
interface Around {
  readonly log: Log
  readonly closers: (() => Promise<void> | void)[]
  readonly secrets: ReadonlyMap<string, Secret>
}

const HEED = 'the ledger found something that must be looked at'

/** Opens the log of a gateway, its index, its checkpoints and its exports; each is closed with the rest as soon as it is open. */
export async function openLedger(
  config: Config,
  { paths, ledgerKey }: State,
  { log, closers, secrets }: Around,
): Promise<LedgerParts> {
  const { mode, name, checkpointMs, segmentBytes } = config.ledger
  const onAlarm = (alarm: object) => log.error({ alarm }, HEED)
  const ledger = await openSegmentLog({
    folder: paths.ledger,
    mode,
    clock: systemClock,
    rotateBytes: segmentBytes,
    onAlarm,
  })
  closers.push(() => ledger.close())
  const embedded = await openLedgerIndex({
    folder: paths.ledger,
    file: databaseFiles(paths).index,
    log: ledger,
    onFault: onFault(log),
  })
  closers.push(() => embedded.close())
  const url = secrets.get(LEDGER_URL)?.reveal()
  const index = url === undefined ? embedded : openShared(url, paths.ledger, { ledger, log })
  if (index !== embedded) closers.push(() => index.close())
  const proofs = openCheckpoints({
    folder: paths.ledger,
    log: ledger,
    name,
    key: ledgerKey,
    everyMs: checkpointMs,
    onAlarm,
  })
  closers.push(
    () => proofs.close(),
    () => recordStop(ledger, log, VERSION),
  )
  const exports = openExports({
    feed: embedded.feed,
    folder: paths.exports,
    sinks: sinksOf(config, secrets),
    version: VERSION,
    onNews: exportNews(log),
  })
  closers.push(() => exports.close())
  return {
    ledger,
    index,
    feed: embedded.feed,
    proofs,
    exports,
    ingest: openIngest({ folder: paths.ledger, log: ledger }),
  }
}

function onFault(log: Log): (fault: string) => void {
  return (fault) => log.error({ fault }, 'the index found a broken chain')
}

/** Nothing waits for the database: what it has not got yet lies in the log. */
function openShared(
  url: string,
  folder: string,
  { ledger, log }: { readonly ledger: Ledger; readonly log: Log },
): LedgerIndex {
  return openTeamIndex({
    url,
    folder,
    log: ledger,
    onFault: onFault(log),
    onState(state) {
      if (state === 'back') log.info({}, 'the database of the ledger’s index is back')
      else log.warn({ error: state.lost }, 'the database of the ledger’s index is out of reach')
    },
  })
}
