import type { VerifiedToken } from '../policy/index.ts'
import type { Armed } from './call.ts'
import { refusalOfCut } from './ending.ts'
import { upToDate } from './leash.ts'
import type { Notes } from './notes.ts'
import type { Watch } from './open.ts'
import type { JudgingPorts, Ports } from './ports.ts'
import { readPerson } from './stages/person.ts'

/** Whether the client's body or an access token may have been waited for, since the call was let through. */
export function hasWaited({ body, renew }: Armed): boolean {
  return body !== undefined || renew !== undefined
}

/**
 * Asks anew whatever may have changed while a call was waited for that had been let through already: grant, leash,
 * build key, expiry and session.
 * @throws Refusal where it may not be made any more
 */
export async function askAgain(watch: Watch, notes: Notes, ports: Ports): Promise<void> {
  await upToDate(ports)
  readPerson(notes, ports)
  watch.look()
  checkUncut(watch)
}

/**
 * Asks anew who calls, where a body was waited for before the decision: a session may have ended, or the build key
 * gone. All else is asked with the decision.
 * @throws Refusal where the caller is not known any more
 */
export function checkCaller(token: VerifiedToken, notes: Notes, ports: JudgingPorts): void {
  readPerson(notes, ports)
  if (!ports.verifier.holds(token)) throw refusalOfCut({ cut: 'revoked', against: [] })
}

/** @throws Refusal where the exchange was cut before it was sent */
export function checkUncut({ cut, against }: Watch): void {
  if (cut !== undefined) throw refusalOfCut({ cut, against })
}
