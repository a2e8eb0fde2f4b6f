import type { FastifyInstance } from 'fastify'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from './get.ts'

/** The table of axes, from which forms and clients are built. */
export function grantRoutes(app: FastifyInstance, { axes }: OwnerPorts): void {
  const rows = axes.map(({ name, ops, value, says, example }) => ({
    name,
    ops,
    value,
    says,
    example,
  }))
  addGet(app, '/api/grants/axes', async () => ({ axes: rows }))
}
