import type { FastifyInstance } from 'fastify'
import type { Question } from '../../why/question.ts'
import { BODIES } from '../openapi/bodies.ts'
import type { OwnerPorts } from '../ports.ts'
import { addDoors } from './doors.ts'

/** What would be decided of a call. */
export function whyRoutes(app: FastifyInstance, { why }: OwnerPorts): void {
  addDoors(app, '/api/why', {
    POST: { body: BODIES.Why, handler: ({ body }) => why(body as Question) },
  })
}
