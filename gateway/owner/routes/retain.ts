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
          const repair = 'write a time that has passed, like `2026-01-31T12:00:00Z`'
          throw refusal('malformed_request', 'body.before', { got: `\`${before}\``, repair })
        }
        const { bodies, bytes } = await recorded(() => eraseBodies(time))
        return { before: new Date(time).toISOString(), erased: bodies, bytes }
      },
    },
  })
}

/** What cannot be recorded is not erased. */
async function recorded<T>(erase: () => Promise<T>): Promise<T> {
  try {
    return await erase()
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ledger_unavailable') throw error
    throw refusal('ledger_unavailable', 'ledger', {
      got: error instanceof Error ? error.message : String(error),
      repair: 'free space on the state folder’s disk, then try again; no restart is needed',
    })
  }
}
