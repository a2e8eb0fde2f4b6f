import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '../../refusal.ts'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** A method of an address that takes a JSON body of this shape; without one its handler reads the body itself. */
interface Door {
  readonly body?: object
  readonly handler: Handler
}

/** What an address can be asked for. */
export interface Doors {
  readonly GET?: Handler
  readonly POST?: Door
  readonly PUT?: Door
  readonly PATCH?: Door
  readonly DELETE?: Handler
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Serves an address; every method that it does not take is refused before a body is looked at. */
export function addDoors(app: FastifyInstance, url: string, doors: Doors): void {
  const { GET, POST, PUT, PATCH, DELETE } = doors
  if (GET !== undefined) app.get(url, GET)
  if (POST !== undefined) app.post(url, { schema: schemaOf(POST) }, POST.handler)
  if (PUT !== undefined) app.put(url, { schema: schemaOf(PUT) }, PUT.handler)
  if (PATCH !== undefined) app.patch(url, { schema: schemaOf(PATCH) }, PATCH.handler)
  if (DELETE !== undefined) app.delete(url, DELETE)
  const taken = Object.keys(doors)
  const method = METHODS.filter((name) => !taken.includes(name))
  const refuse = refuseMethod(taken)
  // As a hook: it comes before the body is parsed, which could be refused for a reason of its own.
  app.route({ method, url, onRequest: refuse, handler: refuse })
}

function schemaOf({ body }: Door): { readonly body?: object } {
  return body === undefined ? {} : { body }
}

function refuseMethod(taken: readonly string[]) {
  const allow = taken.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).join(', ')
  return async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    reply.header('allow', allow)
    const repair = `use ${taken.join(' or ')}`
    throw refusal('method_not_allowed', 'method', { got: `\`${request.method}\``, repair })
  }
}
