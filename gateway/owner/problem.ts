import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { problemDocument, refusal, Refusal } from '../refusal.ts'
import type { OwnerPorts } from './ports.ts'

/** Writes the problem document of a refusal. */
function sendRefusal(reply: FastifyReply, refused: Refusal): FastifyReply {
  const { status, retryAfter } = refused
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="narrowgate owner"')
  // As a string: fastify would add a charset, which JSON does not have.
  const document = JSON.stringify(
    problemDocument(refused, { status, ran: false, receipt: undefined }),
  )
  return reply
    .code(status)
    .header('content-type', 'application/problem+json')
    .header('refused', refused.code)
    .send(Buffer.from(document))
}

/** Answers whatever a route or hook threw. */
export function sendFault(log: OwnerPorts['log']) {
  return (error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): void => {
    const refused = asRefusal(error)
    if (refused.code === 'internal_error') {
      log.error({ error, method: request.method }, 'an owner door failed')
    }
    void sendRefusal(reply, refused)
  }
}

/** The text of an error that is no refusal is for the log alone: it may tell of inner things. */
export function asRefusal(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error
  if (error.statusCode !== undefined && error.statusCode < 500) {
    const got = `\`${error.code}\``
    return refusal('malformed_request', 'request', { got, repair: 'correct the request' })
  }
  return refusal('internal_error', 'gateway', {
    got: 'a fault',
    repair: 'see the log of the gateway',
  })
}

export function sendNotFound(_request: FastifyRequest, reply: FastifyReply): void {
  const got = 'an address that is not served'
  void sendRefusal(reply, refusal('not_found', 'path', { got, repair: 'see docs/operations.md' }))
}
