import { revokedBy, TokenFault, type VerifiedToken } from '../policy/index.ts'
import type { Ports } from './ports.ts'
import { Refusal, refusal, refusalOfReasons } from './refusal.ts'

/**
 * The token with the lines that its grant's owner has put on it since. It is asked for again wherever a call had to
 * wait, so that a new line holds at once.
 * @throws Refusal where leashes cannot be read, or one holds a line that this version does not know
 */
export function leashed(token: VerifiedToken, { leash }: Pick<Ports, 'leash'>): VerifiedToken {
  try {
    return leash(token)
  } catch (error) {
    if (error instanceof TokenFault)
      throw refusal('token_unknown_caveat', 'leash', {
        got: error.reason,
        repair: 'revoke the grant, and mint another; this version cannot read its leash',
      })
    throw unreadable(error)
  }
}

/**
 * Waits until what is known of grants is as fresh as a call may rely on.
 * @throws Refusal where it cannot be read
 */
export async function upToDate({ revocations }: Pick<Ports, 'revocations'>): Promise<void> {
  try {
    await revocations.fresh()
  } catch (error) {
    throw unreadable(error)
  }
}

/**
 * Checks that neither the grant nor a link of the token's chain is revoked, by what is known in memory.
 * @throws Refusal `revoked`, or where revocations cannot be read
 */
export function checkStands(
  { id, links }: VerifiedToken,
  { revocations }: Pick<Ports, 'revocations'>,
): void {
  let name: string | undefined
  try {
    name = revocations.revoked(id, links)
  } catch (error) {
    throw unreadable(error)
  }
  if (name !== undefined) throw refusalOfReasons([revokedBy(name)])
}

/**
 * The same as soon as it is known whose call it is. Where nobody can say, a slow store may have said it by the time of the
 * decision, which asks again.
 * @throws Refusal `revoked`
 */
export function checkAlive(token: VerifiedToken, ports: Pick<Ports, 'revocations'>): void {
  try {
    checkStands(token, ports)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'revoked') throw error
  }
}

/** Where revocations or leashes cannot be read, nobody can say what this grant still stands for. */
function unreadable(error: unknown): Refusal {
  const got = error instanceof Error ? error.message : String(error)
  return new Refusal(
    'revocation_unavailable',
    [
      {
        axis: 'grant',
        got,
        repair: 'check the store of grants (narrowgate doctor), then try again',
      },
    ],
    { retryAfter: 2 },
  )
}
