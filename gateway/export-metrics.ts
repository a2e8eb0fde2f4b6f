import { Counter, Gauge, type Registry } from 'prom-client'
import type { ExportStatus } from '../adapters/exports/port.ts'

type Row = readonly [
  name: string,
  help: string,
  read: (status: ExportStatus) => number,
  kind: typeof Counter<'sink'> | typeof Gauge<'sink'>,
]

const ROWS: readonly Row[] = [
  ['backlog', 'items that wait for an export', ({ backlog }) => backlog, Gauge],
  ['delivered_total', 'items that were acknowledged', ({ delivered }) => delivered, Counter],
  ['failures_total', 'deliveries that failed', ({ failures }) => failures, Counter],
  [
    'rejected_total',
    'items that a collector took in and threw away',
    ({ rejected }) => rejected,
    Counter,
  ],
]

/** The figures of exports, by the name of the sink. */
export function addExportMetrics(registry: Registry, status: () => readonly ExportStatus[]): void {
  for (const [name, help, read, Metric] of ROWS) {
    new Metric({
      name: `narrowgate_export_${name}`,
      help,
      labelNames: ['sink'],
      registers: [registry],
      collect() {
        this.reset()
        for (const each of status()) this.inc({ sink: each.name }, read(each))
      },
    })
  }
}
