import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusal } from '../../refusal.ts'
import { leashGrant, revokeGrant } from '../actions.ts'
import { grantUnknown, readId, reading } from '../faults.ts'
import { grantDetail } from '../grant-view.ts'
import { BODIES } from '../openapi/bodies.ts'
import type { OwnerPorts } from '../ports.ts'
import { addDoors } from './doors.ts'
import { addGet } from './get.ts'

/** One grant: what is known of it, and what can be done to it after it was handed out. */
export function grantDoors(app: FastifyInstance, ports: OwnerPorts): void {
  addGet(app, '/api/grants/:id', async (request) => {
    const grant = await ports.grants.get(idOf(request))
    if (grant === undefined) throw grantUnknown()
    return grantDetail(grant, ports)
  })
  addDoors(app, '/api/grants/:id/revoke', {
    POST: {
      body: BODIES.Revoke,
      handler: (request) => {
        const { link } = request.body as RevokeBody
        return revokeGrant(idOf(request), link, ports)
      },
    },
  })
  addDoors(app, '/api/grants/:id/leash', {
    POST: {
      body: BODIES.Leash,
      handler: (request) => {
        const { lines } = request.body as LeashBody
        return leashGrant(idOf(request), lines, ports)
      },
    },
  })
  addDoors(app, '/api/grants/:id/send', {
    POST: {
      body: BODIES.Send,
      handler: (request) => send(idOf(request), request.body as SendBody, ports),
    },
  })
}

function idOf({ params }: FastifyRequest): string {
  return readId((params as { readonly id: string }).id)
}

interface RevokeBody {
  /** Ends the tokens from this place of a chain on, in place of the whole grant. */
  readonly link?: string
}

interface LeashBody {
  readonly lines: readonly string[]
}

interface SendBody {
  readonly token: string
  readonly to: string
}

/** The token has to be sent along: it is kept nowhere. */
async function send(id: string, { token, to }: SendBody, ports: OwnerPorts): Promise<object> {
  const way = ports.sending()
  if (way === undefined)
    throw refusal('not_supported', 'send', {
      got: 'no way to send links',
      repair: 'set owner.send in the configuration',
    })
  const verified = reading('token', () => ports.issuer.verify(token))
  if (verified.id !== id)
    throw refusal('malformed_request', 'token', {
      got: 'a token of another grant',
      repair: 'send the token of the grant that the address names',
    })
  // Before it is sent: what cannot be recorded does not happen.
  await ports.record({ event: 'grant_sent', subject: id, data: { link: verified.link, to } })
  await way.send({ link: `${way.base}/g/${token}`, to }).catch((error: unknown) => {
    const got = error instanceof Error ? error.message : 'an error'
    throw refusal('send_failed', 'send', {
      got,
      repair: 'run the command of owner.send by hand to see why',
    })
  })
  return { id, link: verified.link, to }
}
