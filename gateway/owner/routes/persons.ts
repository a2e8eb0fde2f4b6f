import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newPersonId } from '../../ids.ts'
import { refusal } from '../../refusal.ts'
import { idTaken, personUnknown } from '../faults.ts'
import { BODIES } from '../openapi/bodies.ts'
import type { OwnerPorts } from '../ports.ts'
import { addDoors } from './doors.ts'

/** How long a session holds where nothing is said: a working day. */
const SESSION_SECONDS = 28_800

/** Persons, their sessions and their own upstream keys. */
export function personRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  addDoors(app, '/api/persons', {
    GET: async () => ({ persons: await ports.persons.list() }),
    POST: {
      body: BODIES.Person,
      handler: async ({ body }, reply) => {
        reply.code(201)
        return create(body as { readonly id?: string }, ports)
      },
    },
  })
  addDoors(app, '/api/persons/:id/session', {
    POST: {
      body: BODIES.Session,
      handler: async ({ params, body }, reply) => {
        reply.code(201)
        return startSession(namesOf(params).id, body as { readonly seconds?: number }, ports)
      },
    },
  })
  addDoors(app, '/api/persons/:id/keys/:name', {
    PUT: {
      body: BODIES.PersonKey,
      handler: ({ params, body }) =>
        storeKey(namesOf(params), (body as { readonly value: string }).value, ports),
    },
  })
}

interface Names {
  readonly id: string
  readonly name: string
}

function namesOf(params: FastifyRequest['params']): Names {
  return params as Names
}

async function create(
  { id = newPersonId() }: { readonly id?: string },
  { clock, persons, record }: OwnerPorts,
): Promise<object> {
  if ((await persons.get(id)) !== undefined) throw idTaken()
  await record({ event: 'person_created', subject: id, data: {} })
  if (!(await persons.create(id, clock.now()))) throw idTaken()
  return { id, created: new Date(clock.now()).toISOString(), keys: [] }
}

async function startSession(
  id: string,
  { seconds = SESSION_SECONDS }: { readonly seconds?: number },
  ports: OwnerPorts,
): Promise<object> {
  if ((await ports.persons.get(id)) === undefined) throw personUnknown()
  const { session, expires } = ports.sessions.issue(id, seconds)
  const until = new Date(expires).toISOString()
  await ports.record({ event: 'signed_in', subject: id, data: { expires: until } })
  return { person: id, session, expires: until }
}

/** The value goes in here and comes out of no door. */
async function storeKey({ id, name }: Names, value: string, ports: OwnerPorts): Promise<object> {
  const { personKeys } = ports
  if (!personKeys.usable())
    throw refusal('not_supported', 'keys', {
      got: 'no key to store keys under',
      repair: 'set persons.key in the configuration',
    })
  if ((await ports.persons.get(id)) === undefined) throw personUnknown()
  if (!personKeys.names().includes(name))
    throw refusal('not_found', 'key', {
      got: 'a name that the configuration has no personal key of',
      repair: `use one of: ${personKeys.names().join(', ') || 'none is configured yet'}`,
    })
  await ports.record({ event: 'key_set', subject: id, data: { name } })
  await personKeys.store({ person: id, name, value })
  return { person: id, name }
}
