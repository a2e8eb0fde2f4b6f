import { checkLeash, leashFull } from '../../policy/index.ts'
import { newGrantId } from '../ids.ts'
import { wordsOf } from '../line-words.ts'
import { idTaken, reading } from './faults.ts'
import { grantView } from './grant-view.ts'
import type { OwnerPorts } from './ports.ts'

const ACTOR = 'owner'

/** A grant that was made just now. Its token is kept nowhere. */
export type Minted = ReturnType<typeof grantView> & { readonly token: string }

/**
 * Makes a grant; it is recorded before its token is given out.
 * @throws Refusal where a line or the id may not stand in a token, or the id is in use
 */
export async function mintGrant(
  { id = newGrantId(), lines }: { readonly id?: string; readonly lines: readonly string[] },
  { clock, grants, issuer }: OwnerPorts,
): Promise<Minted> {
  const token = reading('lines', () => issuer.mint(id, lines))
  const { task } = reading('lines', () => issuer.verify(token))
  if ((await grants.get(id)) !== undefined) throw idTaken()
  const minted = new Date(clock.now()).toISOString()
  const recorded = { id, lines, minted, by: ACTOR, ...(task === undefined ? {} : { task }) }
  await grants.recordMinted(recorded)
  return { ...grantView({ ...recorded, leash: [] }), token }
}

/** What came of a revocation. */
export interface Revoked {
  /** The id or link. */
  readonly revoked: string
  /** False where it was revoked before. */
  readonly fresh: boolean
  /** Whether the grant was minted where this store is. */
  readonly known: boolean
}

/** Ends a grant, or with a link what was narrowed from that place on. Tokens may have been minted elsewhere. */
export async function revokeGrant(
  id: string,
  link: string | undefined,
  { clock, grants }: OwnerPorts,
): Promise<Revoked> {
  const known = (await grants.get(id)) !== undefined
  const fresh = await grants.revoke(link ?? id, ACTOR, clock.now())
  return { revoked: link ?? id, fresh, known }
}

/** What came of lines that were put on a grant. */
export interface Leashed {
  readonly id: string
  /** All of its lines now, with what they mean. */
  readonly leash: readonly { readonly line: string; readonly says: string }[]
  readonly known: boolean
}

/**
 * Appends lines to a grant's leash.
 * @throws Refusal where one does not parse or may not stand there, or the leash is full
 */
export async function leashGrant(
  id: string,
  lines: readonly string[],
  { clock, grants }: OwnerPorts,
): Promise<Leashed> {
  const grant = await grants.get(id)
  const all = [...(grant?.leash ?? grants.leashOf(id) ?? []), ...lines]
  reading('lines', () => checkLeash(all))
  const done = await grants.leash(id, lines, { by: ACTOR, now: clock.now() })
  // Another request may have filled it since.
  reading('lines', () => {
    if (!done) throw leashFull()
  })
  const said = all.map((line) => ({ line, says: wordsOf(line) }))
  return { id, leash: said, known: grant !== undefined }
}
