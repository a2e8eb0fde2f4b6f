import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Ledger } from '../adapters/ledger/port.ts'
import type { DoorMetrics } from './doors/door.ts'
import type { ErrorCode } from './errors.ts'
import type { Outcome } from './outcome.ts'
import type { ExchangeMetrics } from './ports.ts'

/** Figures that are asked for when somebody reads the metrics. */
export interface MetricSources {
  /** Records that are durable and not yet indexed. */
  lag(): number
  ledger(): ReturnType<Ledger['stats']>
}

/** What the gateway counts, and the registry that `/metrics` prints. */
export interface Metrics extends ExchangeMetrics, DoorMetrics {
  readonly registry: Registry
  /** Uses that calls let through have taken from their tokens. */
  usesSpent(count: number): void
}

// From a cached decision to a slow upstream, in seconds.
const BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]

/** Makes the metrics of one gateway, in a registry of their own so that two gateways can live in a process. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'narrowgate_' })
  createGauges(registry, sources)
  const count = counters(registry)
  const stages = new Histogram({
    name: 'narrowgate_stage_duration_seconds',
    help: 'time that each stage of an exchange took',
    labelNames: ['stage'],
    buckets: BUCKETS,
    registers: [registry],
  })
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
    lost: count('receipts_lost_total', 'receipts that could not be written one by one', 'what'),
    unreadable: count(
      'requests_unreadable_total',
      'requests that the HTTP parser refused',
      'status',
    ),
    ended: createEnded(count, stages),
    tunnelOpened: () => tunnels.inc(),
    tunnelClosed: () => tunnels.dec(),
  }
}

interface Count {
  (name: string, help: string): (by?: number) => void
  (name: string, help: string, label: string): (value: string | number) => void
}

function counters(registry: Registry): Count {
  return (name: string, help: string, label?: string) => {
    const options = { name: `narrowgate_${name}`, help, registers: [registry] }
    if (label === undefined) {
      const counter = new Counter(options)
      return (by: string | number = 1) => counter.inc(Number(by))
    }
    const counter = new Counter({ ...options, labelNames: [label] })
    return (value: string | number = '') => counter.inc({ [label]: String(value) })
  }
}

function createEnded(count: Count, stages: Histogram<'stage'>): Metrics['ended'] {
  const byOutcome = count('exchanges_total', 'exchanges by how they ended', 'outcome')
  const byCode = count('refusals_total', 'refusals and failures by their code', 'code')
  const disagreed = count(
    'cedar_disagreements_total',
    'calls on which the two policy engines disagreed',
  )
  // Looking a label up costs more than the observation itself, and there are few stages.
  const observers = new Map<string, Histogram.Internal<'stage'>>()
  const observerOf = (stage: string) => {
    const observer = observers.get(stage) ?? stages.labels(stage)
    observers.set(stage, observer)
    return observer
  }
  return (
    outcome: Outcome,
    code: ErrorCode | undefined,
    timing: Readonly<Record<string, number>>,
  ) => {
    byOutcome(outcome)
    if (code !== undefined) byCode(code)
    if (code === 'policy_disagreement') disagreed()
    for (const [stage, ms] of Object.entries(timing)) observerOf(stage).observe(ms / 1000)
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
  gauge('ledger_pending_records', 'records that wait to be durable', () => sources.ledger().pending)
}
