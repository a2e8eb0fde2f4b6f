import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import type { ExportStatus } from '../adapters/exports/port.ts'
import type { Ledger, LedgerAnchor } from '../adapters/ledger/port.ts'
import type { DoorMetrics } from './doors/door.ts'
import type { ErrorCode } from './errors.ts'
import { addExportMetrics } from './export-metrics.ts'
import type { Outcome } from './outcome.ts'
import type { ExchangeMetrics } from './ports.ts'
import { createStageTimes } from './stage-times.ts'
import type { Timing } from './timing.ts'

/** Figures that are asked for when somebody reads the metrics. */
export interface MetricSources {
  /** Records that are durable and not yet indexed. */
  lag(): number
  ledger(): ReturnType<Ledger['stats']>
  exports(): readonly ExportStatus[]
  /** How many records the last checkpoint covers. */
  signed(): number
  /** Undefined where checkpoints are carried nowhere. */
  anchor(): ReturnType<LedgerAnchor['stats']> | undefined
}

/** What the gateway counts, and the registry that `/metrics` prints. */
export interface Metrics extends ExchangeMetrics, DoorMetrics {
  readonly registry: Registry
  /** Uses that calls let through have taken from their tokens. */
  usesSpent(count: number): void
}

/** Makes the metrics of one gateway, in a registry of their own so that two gateways can live in a process. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'narrowgate_' })
  createGauges(registry, sources)
  addExportMetrics(registry, () => sources.exports())
  const count = counters(registry)
  const observe = createStageTimes(registry)
  const tunnels = new Gauge({
    name: 'narrowgate_tunnels_open',
    help: 'tunnels of clients that are open now',
    registers: [registry],
  })
  return {
    registry,
    accepted: count('requests_accepted_total', 'requests that a door took in'),
    challenged: count(
      'requests_challenged_total',
      'requests without credentials, answered 401 or 407',
    ),
    usesSpent: count('uses_spent_total', 'uses that calls let through took from their tokens'),
    handshakeFailed: count(
      'tls_handshakes_failed_total',
      'TLS handshakes in tunnels that came to nothing',
    ),
    lost: count(
      'receipts_lost_total',
      'exchanges of which the ledger could not take a receipt',
      'what',
    ),
    shadowed: count(
      'guardrails_shadowed_total',
      'calls let through that a guardrail in shadow mode would have refused',
    ),
    shed: count(
      'sheds_total',
      'connections and tunnels that were turned away, since there were too many',
      'what',
    ),
    unreadable: count(
      'requests_unreadable_total',
      'requests that the HTTP parser refused',
      'status',
    ),
    ended: createEnded(count, observe),
    tunnelOpened: () => tunnels.inc(),
    tunnelClosed: () => tunnels.dec(),
  }
}

interface Count {
  (name: string, help: string): (by?: number) => void
  (name: string, help: string, label: string): (value: string | number) => void
}

/** Counters that are plain numbers until somebody asks: prom-client's own look their labels up at each step. */
function counters(registry: Registry): Count {
  return (name: string, help: string, label?: string) => {
    const tally = new Map<string, number>(label === undefined ? [['', 0]] : [])
    new Counter({
      name: `narrowgate_${name}`,
      help,
      registers: [registry],
      labelNames: label === undefined ? [] : [label],
      collect() {
        this.reset()
        for (const [value, many] of tally)
          this.inc(label === undefined ? {} : { [label]: value }, many)
      },
    })
    const add = (value: string, by: number) => void tally.set(value, (tally.get(value) ?? 0) + by)
    return label === undefined
      ? (by: string | number = 1) => add('', Number(by))
      : (value: string | number = '') => add(String(value), 1)
  }
}

function createEnded(count: Count, observe: (timing: Timing) => void): Metrics['ended'] {
  const byOutcome = count('exchanges_total', 'exchanges by how they ended', 'outcome')
  const byCode = count('refusals_total', 'refusals and failures by their code', 'code')
  const disagreed = count(
    'cedar_disagreements_total',
    'calls on which the two policy engines disagreed',
  )
  return (outcome: Outcome | 'unknown', code: ErrorCode | undefined, timing: Timing) => {
    byOutcome(outcome)
    if (code !== undefined) byCode(code)
    if (code === 'policy_disagreement') disagreed()
    observe(timing)
  }
}

function createGauges(registry: Registry, sources: MetricSources): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name: `narrowgate_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
  gauge('ledger_lag_records', 'records that are durable and not yet indexed', () => sources.lag())
  gauge('ledger_records', 'records that this start has written', () => sources.ledger().records)
  gauge('ledger_syncs', 'syncs of the log to the disk', () => sources.ledger().syncs)
  gauge(
    'ledger_lost_records',
    'records that were accepted and could not be kept',
    () => sources.ledger().lost,
  )
  gauge('ledger_signed_records', 'records that the last signed checkpoint covers', () =>
    sources.signed(),
  )
  gauge(
    'ledger_anchor_backlog',
    'checkpoints and sealed segments that are still to be carried to the bucket of anchors',
    () => sources.anchor()?.backlog ?? 0,
  )
  gauge(
    'ledger_anchor_forks',
    'writers of which another log lies in the bucket of anchors',
    () => sources.anchor()?.forks.length ?? 0,
  )
  gauge('ledger_pending_records', 'records that wait to be durable', () => sources.ledger().pending)
}
