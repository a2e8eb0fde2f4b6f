import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../openapi/document.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from './get.ts'

/** What all these doors are, for programs. */
export function openApiRoutes(app: FastifyInstance, { keyHeaders }: OwnerPorts): void {
  addGet(app, '/api/openapi.json', async () => openApiDocument(keyHeaders()))
}
