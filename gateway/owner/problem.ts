import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { problemDocument, refusal, Refusal, refusalFields } from '../refusal.ts'
import type { OwnerPorts } from './ports.ts'

/** Writes the problem document of a refusal. */
type Said = Pick<OwnerPorts, 'refusedHeader'>

function sendRefusal(reply: FastifyReply, refused: Refusal, { refusedHeader }: Said): FastifyReply {
  const { status } = refused
  const fields = refusalFields(refused, refusedHeader())
  for (let at = 0; at + 1 < fields.length; at += 2) reply.header(fields[at] ?? '', fields[at + 1])
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="narrowgate owner"')
  // As a string: fastify would add a charset, which JSON does not have.
  const document = JSON.stringify(
    problemDocument(refused, { status, ran: false, receipt: undefined }),
  )
  return reply
    .code(status)
    .header('content-type', 'application/problem+json')
    .send(Buffer.from(document))
}

/** Answers whatever a route or hook threw. */
export function sendFault(ports: Said & Pick<OwnerPorts, 'log'>) {
  return (error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): void => {
    const refused = asRefusal(error)
    if (refused.code === 'internal_error') {
      ports.log.error({ error, method: request.method }, 'an owner door failed')
    }
    void sendRefusal(reply, refused, ports)
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

/** Answers for an address that is not served. */
export function sendNotFound(ports: Said) {
  return (_request: FastifyRequest, reply: FastifyReply): void => {
    const got = 'an address that is not served'
    const refused = refusal('not_found', 'path', { got, repair: 'see docs/operations.md' })
    void sendRefusal(reply, refused, ports)
  }
}
