import { systemClock } from '../adapters/clock/system.ts'
import { openExports } from '../adapters/exports/open.ts'
import type { Exports } from '../adapters/exports/port.ts'
import type { Secret } from '../adapters/keys/port.ts'
import { openAnchor } from '../adapters/ledger/anchor/anchor.ts'
import { openCheckpoints } from '../adapters/ledger/checkpoint/checkpoints.ts'
import { openIngest } from '../adapters/ledger/ingest/open.ts'
import { openLedgerIndex } from '../adapters/ledger/index/open.ts'
import type {
  Ledger,
  LedgerAnchor,
  LedgerFeed,
  LedgerIndex,
  LedgerIngest,
  LedgerProofs,
} from '../adapters/ledger/port.ts'
import { openSegmentLog } from '../adapters/ledger/segment/log.ts'
import type { Bucket } from '../adapters/objects/port.ts'
import { recordFork, recordStop } from './audit.ts'
import { LEDGER_URL, type Config } from './config/index.ts'
import { withErasures } from './erased.ts'
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
  readonly ingest: LedgerIngest
}

/** What is around it. */
interface Around {
  readonly log: Log
  readonly closers: (() => Promise<void> | void)[]
  readonly secrets: ReadonlyMap<string, Secret>
}

interface Exporting extends Around {
  readonly feed: LedgerFeed
  readonly buckets: ReadonlyMap<string, Bucket>
}

interface Anchoring extends Pick<Around, 'log' | 'closers'> {
  readonly ledger: Ledger
  readonly proofs: LedgerProofs
  readonly buckets: ReadonlyMap<string, Bucket>
}

const HEED = 'the ledger found something that must be looked at'

/** Opens the log of a gateway, its index and its checkpoints; each is closed with the rest as soon as it is open. */
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
  return {
    ledger,
    index: withErasures(index, embedded.erasures),
    feed: embedded.feed,
    proofs,
    ingest: openIngest({ folder: paths.ledger, log: ledger }),
  }
}

/** Starts the exports of the feed; they end with the rest. Throws where the place of one is damaged. */
export function openLedgerExports(
  config: Config,
  { paths }: Pick<State, 'paths'>,
  { feed, buckets, log, closers, secrets }: Exporting,
): Exports {
  const exports = openExports({
    feed,
    buckets,
    folder: paths.exports,
    sinks: sinksOf(config, secrets),
    version: VERSION,
    onNews: exportNews(log),
  })
  closers.push(() => exports.close())
  return exports
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

/** What carries checkpoints and segments away; undefined where nothing is to be carried. */
export function openLedgerAnchor(
  { ledger: { anchor } }: Config,
  { paths }: Pick<State, 'paths'>,
  { ledger, proofs, buckets, log, closers }: Anchoring,
): LedgerAnchor | undefined {
  const bucket = buckets.get(anchor?.bucket ?? '')
  if (anchor === undefined || bucket === undefined) return undefined
  const { prefix, deadlineMs } = anchor
  const opened = openAnchor({
    folder: paths.ledger,
    bucket,
    prefix,
    deadlineMs,
    onNews(news) {
      if (news.kind === 'forked') void recordFork(ledger, log, news.key)
      else if (news.kind === 'back') log.info({}, 'the bucket of the ledger’s anchors is back')
      else log.warn({ error: news.error }, 'the bucket of the ledger’s anchors is out of reach')
    },
  })
  closers.push(async () => {
    // The bucket is still open: what was done up to here is anchored, the stop itself at the next start.
    await proofs.sign().catch(() => undefined)
    await opened.close()
  })
  return opened
}
