import type { FastifyRequest } from 'fastify'
import { grantUnknown, readId } from '../../faults.ts'
import type { Found } from '../../grant-view.ts'
import type { OwnerPorts } from '../../ports.ts'

/** The grant that an address names. @throws Refusal where none was minted with that id */
export async function knownGrant(
  { params }: FastifyRequest,
  { grants }: Pick<OwnerPorts, 'grants'>,
): Promise<Found> {
  const grant = await grants.get(readId((params as { readonly id: string }).id))
  if (grant === undefined) throw grantUnknown()
  return grant
}
