import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../refusal.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from './get.ts'

const REPAIRS: Readonly<Record<string, string>> = {
  configuration: 'run `narrowgate check`',
  keys: 'see the log for the key that could not be read',
  ca: 'look at the folder `ca` in the state folder',
  ledger: 'look at the disk under the state folder: is it full or read-only?',
  cedar: 'see the log for the self-test of the policy engine',
}

/** Liveness, readiness and figures. */
export function healthRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  addGet(app, '/healthz', async () => ({ ok: true }))
  addGet(app, '/readyz', async () => {
    const missing = ports.notReady()
    if (missing.length === 0) return { ready: true }
    throw new Refusal(
      'not_ready',
      missing.map((name) => ({
        axis: name,
        got: 'not ready',
        repair: REPAIRS[name] ?? 'see the log',
      })),
    )
  })
  addGet(app, '/metrics', async (_request, reply) => {
    reply.type(ports.registry.contentType)
    return ports.registry.metrics()
  })
}
