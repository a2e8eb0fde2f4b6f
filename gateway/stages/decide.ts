import type { Permit, VerifiedToken } from '../../policy/index.ts'
import type { Call } from '../call.ts'
import type { Notes } from '../notes.ts'
import type { Ports } from '../ports.ts'
import { Refusal, refusalOfReasons } from '../refusal.ts'

/** Asks policy. What it gives is the only leave to call the upstream, for this very target. */
export async function decideCall(
  token: VerifiedToken,
  call: Call,
  notes: Notes,
  ports: Ports,
): Promise<Permit> {
  checkRevocations(token, ports)
  const decision = await ports.decider.decide(token, call.ask, ports)
  if (!decision.allow) throw refusalOfReasons(decision.reasons)
  if (decision.reservation !== undefined) notes.reservation = decision.reservation
  return decision.permit
}

/** Where revocations cannot be read, nobody can say that this grant still stands. */
function checkRevocations(token: VerifiedToken, ports: Ports): void {
  try {
    ports.revocations.revoked(token.id, token.links)
  } catch (error) {
    const got = error instanceof Error ? error.message : String(error)
    throw new Refusal(
      'revocation_unavailable',
      [{ axis: 'grant', got, repair: 'check the state folder’s grants store, then try again' }],
      { retryAfter: 2 },
    )
  }
}
