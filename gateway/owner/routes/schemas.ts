import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { addGet } from './get.ts'

const MEDIA_TYPE = 'application/schema+json'

/** What receipts and events look like, for programs. */
export function schemaRoutes(app: FastifyInstance): void {
  for (const name of ['receipt', 'event'] as const) {
    // Read, not imported: Node 20 warns on every start about an import of JSON.
    const text = readFileSync(new URL(`../schemas/${name}.schema.json`, import.meta.url))
    addGet(app, `/api/ledger/schema/${name}.json`, async (_request, reply) => {
      reply.header('content-type', MEDIA_TYPE)
      return text
    })
  }
}
