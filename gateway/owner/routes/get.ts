import type { FastifyInstance } from 'fastify'
import { addDoors, type Handler } from './doors.ts'

/** An address that can only be read. */
export function addGet(app: FastifyInstance, url: string, handler: Handler): void {
  addDoors(app, url, { GET: handler })
}
