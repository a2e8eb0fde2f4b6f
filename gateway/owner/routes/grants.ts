import type { FastifyInstance } from 'fastify'
import { narrowToken } from '../../../policy/index.ts'
import { nodeDigests } from '../../digests.ts'
import { mintGrant } from '../actions.ts'
import { reading } from '../faults.ts'
import { grantView } from '../grant-view.ts'
import { BODIES } from '../openapi/bodies.ts'
import type { OwnerPorts } from '../ports.ts'
import { addDoors } from './doors.ts'
import { addGet } from './get.ts'

/** All grants; making one; making a narrower token from one. */
export function grantRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  // The table of axes, from which forms and clients are built.
  const axes = ports.axes.map(({ name, ops, value, says, example }) => {
    return { name, ops, value, says, example }
  })
  addGet(app, '/api/grants/axes', async () => ({ axes }))
  addDoors(app, '/api/grants', {
    GET: async () => ({ grants: (await ports.grants.list()).map(grantView) }),
    POST: {
      body: BODIES.Mint,
      handler: async ({ body }, reply) => {
        reply.code(201)
        return mintGrant(body as MintBody, ports)
      },
    },
  })
  addDoors(app, '/api/grants/narrow', {
    POST: { body: BODIES.Narrow, handler: ({ body }) => narrow(body as NarrowBody, ports) },
  })
}

interface MintBody {
  readonly id?: string
  readonly lines: readonly string[]
}

interface NarrowBody {
  readonly token: string
  readonly lines: readonly string[]
}

/** A token that does not verify is not narrowed: what came of it would be of no use to anybody. */
async function narrow({ token, lines }: NarrowBody, ports: OwnerPorts): Promise<object> {
  const { id } = reading('token', () => ports.issuer.verify(token))
  const narrowed = reading('lines', () => narrowToken(token, lines, nodeDigests))
  const { link } = reading('lines', () => ports.issuer.verify(narrowed))
  await ports.record({ event: 'grant_narrowed', subject: id, data: { link, lines } })
  return { id, link, token: narrowed }
}
