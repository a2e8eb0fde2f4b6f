import type { FastifyInstance } from 'fastify'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from './get.ts'

/** How the gateway is doing, on one page. */
export function statusRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  const { clock, ledger, index, version } = ports
  const started = clock.now()
  addGet(app, '/api/status', async () => ({
    version,
    configuration: ports.configVersion(),
    started: new Date(started).toISOString(),
    uptime_seconds: Math.floor((clock.now() - started) / 1000),
    not_ready: ports.notReady(),
    ledger: {
      mode: ledger.mode,
      ready: ledger.ready(),
      head: ledger.head(),
      ...ledger.stats(),
      lag: index.lag(),
    },
  }))
}
