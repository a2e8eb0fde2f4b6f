import { TokenFault, type VerifiedToken } from '../policy/index.ts'
import type { Ports } from './ports.ts'
import { Refusal, refusal } from './refusal.ts'

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

/** Where revocations or leashes cannot be read, nobody can say what this grant still stands for. */
export function unreadable(error: unknown): Refusal {
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
