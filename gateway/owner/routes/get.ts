import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '../../refusal.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** An address that can only be read; every other method is refused before a body is looked at. */
export function addGet(app: FastifyInstance, url: string, handler: Handler): void {
  app.get(url, handler)
  // As a hook: it comes before the body is parsed, which could be refused for a reason of its own.
  app.route({ method: OTHER_METHODS, url, onRequest: refuseMethod, handler: refuseMethod })
}

async function refuseMethod(request: FastifyRequest, reply: FastifyReply): Promise<never> {
  reply.header('allow', 'GET, HEAD')
  throw refusal('method_not_allowed', 'method', { got: `\`${request.method}\``, repair: 'use GET' })
}
