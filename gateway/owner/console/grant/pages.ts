import type { FastifyInstance } from 'fastify'
import type { OwnerPorts } from '../../ports.ts'
import { grantDetail } from '../../grant-view.ts'
import { addGet } from '../../routes/get.ts'
import { framed } from '../frame.ts'
import { readQuery } from '../query.ts'
import { detailPage } from './detail.ts'
import { knownGrant } from './known.ts'
import { leashPages } from './leash.ts'
import { revokePages } from './revoke.ts'

/** One grant: what it allows, what became of it, and what can be done to it. */
export function grantPages(scope: FastifyInstance, ports: OwnerPorts): void {
  addGet(scope, '/grants/:id', async (request) => {
    readQuery(request, [])
    const grant = await knownGrant(request, ports)
    const detail = await grantDetail(grant, ports)
    return framed(request, `Grant ${grant.id}`, detailPage({ grant, detail }, ports))
  })
  leashPages(scope, ports)
  revokePages(scope, ports)
}
