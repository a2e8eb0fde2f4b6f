import t from 'tap'
import { readFigures } from '../../../../gateway/owner/console/figures.ts'
import { createMetrics } from '../../../../gateway/metrics.ts'
import { createConsoleRig } from './_console.ts'

function metricsOf() {
  return createMetrics({
    lag: () => 4,
    ledger: () => ({ records: 7, syncs: 3, pending: 2, lost: 0 }),
    exports: () => [],
    signed: () => 5,
    anchor: () => undefined,
  })
}

t.test('figures are read as the registry writes them', async (t) => {
  const metrics = metricsOf()
  metrics.shed('connection')
  metrics.shed('tunnel')
  metrics.shed('tunnel')
  metrics.tunnelOpened()
  const figures = readFigures(await metrics.registry.metrics())
  const of = (name: string) => figures.filter((figure) => figure.name === name)
  t.strictSame(of('sheds_total'), [
    { name: 'sheds_total', labels: { what: 'connection' }, value: 1 },
    { name: 'sheds_total', labels: { what: 'tunnel' }, value: 2 },
  ])
  t.strictSame(of('tunnels_open'), [{ name: 'tunnels_open', labels: {}, value: 1 }])
  t.ok(Number(of('nodejs_eventloop_lag_p99_seconds')[0]?.value) >= 0)
})

t.test('health shows readiness, backlog, mode, event loop and what was turned away', async (t) => {
  const metrics = metricsOf()
  metrics.shed('tunnel')
  const rig = await createConsoleRig({ registry: metrics.registry })
  const { text } = await rig.get('/console/health')
  t.match(text, 'Ready: calls are decided')
  for (const [name, value] of [
    ['Not indexed yet', '4'],
    ['Waiting for the disk', '0'],
    ['Turned away', '1'],
    ['Mode', 'strict'],
    ['Version', '1.2.3'],
  ] as const)
    t.match(text, new RegExp(`<dt>${name}</dt>\\s*<dd[^>]*>${value}</dd>`), name)
  t.match(text, /<dt>Event loop, p99<\/dt>\s*<dd[^>]*>\d+\.\d ms<\/dd>/)
})

t.test('what is not ready is named', async (t) => {
  const rig = await createConsoleRig({
    notReady: () => ['ledger', 'cedar'],
    ledger: {
      mode: 'strict',
      head: () => ({ writer: 'w_1', n: 7, hash: 'ab'.repeat(32) }),
      ready: () => ({ ok: false, why: 'the disk is full' }),
      stats: () => ({ records: 7, syncs: 3, pending: 9, lost: 0 }),
    },
  })
  for (const page of ['/console', '/console/health'])
    t.match(
      (await rig.get(page)).text,
      /Not ready: ledger, cedar\.\s*The ledger says: the disk is full\./,
      page,
    )
})

t.test('a page that fails says so, and its reason is for the log alone', async (t) => {
  const registry = {
    contentType: 'text/plain',
    metrics: async () => Promise.reject(new Error('inner things')),
  }
  const rig = await createConsoleRig({ registry })
  const { status, text } = await rig.get('/console/health')
  t.equal(status, 500)
  t.match(text, 'internal_error')
  t.notMatch(text, 'inner things')
  t.equal(rig.logged.length, 1)
})
