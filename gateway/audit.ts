import type { Ledger, LedgerRecord } from '../adapters/ledger/port.ts'
import type { TokenFetch } from './access-tokens.ts'
import type { ConfigHolder, ReloadResult } from './config/index.ts'
import type { Log, Snapshot } from './ports.ts'

/** Writes an event of the gateway's own; one that cannot be written is told to the operator and holds up nothing. */
async function record(ledger: Ledger, log: Log, event: LedgerRecord): Promise<void> {
  await ledger
    .event({ actor: 'gateway', ...event })
    .catch((error: unknown) =>
      log.error({ error, event: event['event'] }, 'an event could not be recorded'),
    )
}

export function recordStart(
  ledger: Ledger,
  log: Log,
  {
    version,
    ...data
  }: {
    readonly version: string
    readonly proxy: string
    readonly owner: string
    readonly configuration: string
  },
): Promise<void> {
  return record(ledger, log, { event: 'gateway_started', subject: version, data })
}

export function recordStop(ledger: Ledger, log: Log, version: string): Promise<void> {
  return record(ledger, log, { event: 'gateway_stopped', subject: version, data: {} })
}

/** Something else lies where a checkpoint or a segment was to be anchored: there are two logs of one name. */
export function recordFork(ledger: Ledger, log: Log, key: string): Promise<void> {
  log.error({ key }, 'another log lies under the name of ours in the bucket of its anchors')
  return record(ledger, log, { event: 'ledger_forked', subject: key, data: {} })
}

/** A body that made room for newer ones: its receipts stay verifiable and say so. */
export function recordErasure(
  ledger: Ledger,
  log: Log,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
): Promise<void> {
  return record(ledger, log, {
    event: 'body_erased',
    subject: sha256,
    data: { bytes, why: 'store_full' },
  })
}

/** The gateway asked a token endpoint for an access token: a call of its own, which has no receipt. */
export function recordAccessToken(
  ledger: Ledger,
  log: Log,
  { key, host, why }: TokenFetch,
): Promise<void> {
  const event = why === undefined ? 'access_token_got' : 'access_token_refused'
  if (why !== undefined) log.warn({ key, host, why }, 'a token endpoint gave no access token')
  return record(ledger, log, { event, subject: key, data: { host, ...(why && { why }) } })
}

export function recordReload(
  result: ReloadResult,
  holder: ConfigHolder<Snapshot>,
  { ledger, log }: { readonly ledger: Ledger; readonly log: Log },
): Promise<void> {
  const subject = holder.current().config.version
  const data = result.ok
    ? {}
    : { problems: result.problems.map(({ path, repair }) => ({ path, repair })) }
  const event = result.ok ? 'configuration_loaded' : 'configuration_refused'
  return record(ledger, log, { event, subject, data })
}
