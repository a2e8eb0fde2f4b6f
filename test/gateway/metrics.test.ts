import t from 'tap'
import { createMetrics } from '../../gateway/metrics.ts'

const SOURCES = {
  exports: () => [],
  lag: () => 3,
  ledger: () => ({ records: 10, syncs: 4, pending: 1, lost: 5 }),
  signed: () => 8,
  anchor: () => ({ backlog: 2, away: true, forks: ['w_1/segments/000001.ndlog'] }),
}

t.test('everything that is counted can be read', async (t) => {
  const metrics = createMetrics(SOURCES)
  metrics.accepted()
  metrics.accepted()
  metrics.challenged()
  metrics.usesSpent(3)
  metrics.tunnelOpened()
  metrics.tunnelOpened()
  metrics.tunnelClosed()
  metrics.unreadable(431)
  metrics.handshakeFailed()
  metrics.lost('receipt')
  metrics.ended('allowed', undefined, { policy: 2 })
  metrics.ended('refused', 'policy_disagreement', { policy: 600 })
  const text = await metrics.registry.metrics()
  for (const line of [
    'narrowgate_requests_accepted_total 2',
    'narrowgate_requests_challenged_total 1',
    'narrowgate_uses_spent_total 3',
    'narrowgate_tunnels_open 1',
    'narrowgate_requests_unreadable_total{status="431"} 1',
    'narrowgate_tls_handshakes_failed_total 1',
    'narrowgate_receipts_lost_total{what="receipt"} 1',
    'narrowgate_exchanges_total{outcome="allowed"} 1',
    'narrowgate_exchanges_total{outcome="refused"} 1',
    'narrowgate_refusals_total{code="policy_disagreement"} 1',
    'narrowgate_cedar_disagreements_total 1',
    'narrowgate_stage_duration_seconds_bucket{le="0.005",stage="policy"} 1',
    'narrowgate_stage_duration_seconds_count{stage="policy"} 2',
    'narrowgate_ledger_lag_records 3',
    'narrowgate_ledger_records 10',
    'narrowgate_ledger_syncs 4',
    'narrowgate_ledger_pending_records 1',
    'narrowgate_ledger_lost_records 5',
    'narrowgate_ledger_signed_records 8',
    'narrowgate_ledger_anchor_backlog 2',
    'narrowgate_ledger_anchor_forks 1',
  ]) {
    t.ok(text.split('\n').includes(line), line)
  }
  t.match(text, /^narrowgate_nodejs_eventloop_lag_p99_seconds /m)
})

t.test('two gateways in one process count apart', async (t) => {
  const [one, other] = [createMetrics(SOURCES), createMetrics(SOURCES)]
  one.accepted()
  t.match(await other.registry.metrics(), /^narrowgate_requests_accepted_total 0$/m)
})
