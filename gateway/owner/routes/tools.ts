import type { FastifyInstance, FastifyRequest } from 'fastify'
import { contractOf } from '../../../catalog/index.ts'
import { refusal } from '../../refusal.ts'
import { findTools, listTools } from '../../tool-views.ts'
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
    const tool = directory.tool(nameIn(request))
    if (tool !== undefined) return contractOf(tool)
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
