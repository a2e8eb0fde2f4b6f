import type { FastifyInstance } from 'fastify'
import type { OwnerPorts } from '../ports.ts'
import { createStatus } from '../status.ts'
import { addGet } from './get.ts'

/** How the gateway is doing, on one page. */
export function statusRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  const status = createStatus(ports)
  addGet(app, '/api/status', async () => status())
}
