import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusal } from '../../refusal.ts'
import { toolNamed } from '../../run/call.ts'
import { findTools, listTools } from '../../tool-views.ts'
import { contractWithWays } from '../../ways.ts'
import { ownerPlace } from '../holder-base.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from './get.ts'

/** What can be called: the names, one tool whole, and the tools that a question means. */
export function toolRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  const { directory } = ports
  addGet(app, '/api/tools', async (request, reply) => {
    const { value, next } = listTools(directory.tools(), request.query, ports.cursors)
    if (next !== undefined) void reply.header(ports.cursorHeader(), next)
    return value
  })
  addGet(app, '/api/contracts/:tool', async (request) => {
    const tool = toolNamed(nameIn(request), directory)
    if (tool !== undefined) return contractWithWays(tool, request.query, ownerPlace(request, ports))
    throw refusal('not_found', 'tool', {
      got: 'a name without a row',
      repair: 'find it with `/api/directory/query?q=…`',
    })
  })
  addGet(app, '/api/directory/query', async (request) =>
    findTools(directory.resolver(), request.query),
  )
}

function nameIn({ params }: FastifyRequest): string {
  return (params as { readonly tool: string }).tool
}
