import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusal } from '../../refusal.ts'
import { BODIES } from '../openapi/bodies.ts'
import type { OwnerPorts } from '../ports.ts'
import { addDoors } from './doors.ts'

/** Kept bodies are erased by age; the receipts that name them stay. */
export function retainRoutes(app: FastifyInstance, { clock, eraseBodies }: OwnerPorts): void {
  addDoors(app, '/api/ledger/retain', {
    POST: {
      body: BODIES.Retain,
      async handler(request: FastifyRequest) {
        const { before } = request.body as { readonly before: string }
        const time = Date.parse(before)
        if (Number.isNaN(time) || time > clock.now()) {
          const repair = 'write a time that has passed, like `2027-01-31T12:00:00Z`'
          throw refusal('malformed_request', 'body.before', { got: `\`${before}\``, repair })
        }
        const { bodies, bytes } = await eraseBodies(time)
        return { before: new Date(time).toISOString(), erased: bodies, bytes }
      },
    },
  })
}
