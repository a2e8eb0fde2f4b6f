import { createHash, timingSafeEqual } from 'node:crypto'
import { refusal, type Refusal } from '../refusal.ts'
import { createFailureLimit } from './failures.ts'
import type { OwnerPorts } from './ports.ts'

/**
 * Compares what was sent from an address with the owner key; who sends several keys means all of them.
 * @throws Refusal where one differs: `owner_key_wrong`, or `rate_limited` once the address has failed too often
 */
export type OwnerKeyCheck = (keys: readonly string[], address: string | undefined) => void

/** All doors share it, so that failures at one count at the others. */
export function createOwnerKeyCheck({
  ownerKey,
  clock,
}: Pick<OwnerPorts, 'ownerKey' | 'clock'>): OwnerKeyCheck {
  const right = digest(ownerKey.reveal())
  const failures = createFailureLimit(clock)
  return (keys, address = 'unix') => {
    // The right key is let in even while failures are limited, or any process of this machine could lock
    // the owner out. Guessing gains nothing by it: a key has 32 random bytes at least.
    if (keys.every((key) => timingSafeEqual(digest(key), right))) return
    throw wrongKey(failures.note(address))
  }
}

function wrongKey(retryAfter: number | undefined): Refusal {
  const [got, repair] = ['another key', 'send the key in the file `owner.key` of the state folder']
  if (retryAfter === undefined) return refusal('owner_key_wrong', 'owner key', { got, repair })
  return refusal('rate_limited', 'owner key', { got, repair, retryAfter })
}

/** Equal lengths for the comparison, whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
