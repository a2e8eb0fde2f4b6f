import type { PathSplice, RawHeaders } from '../../adapters/upstream/port.ts'
import type { KeyPlace } from '../config/key-types.ts'
import type { KeyRing } from '../keyring.ts'
import type { Knock } from '../knock.ts'
import { refusal, type Refusal } from '../refusal.ts'
import { holdsPlaceholder } from './armed-path.ts'
import { holds } from './forwarded-head.ts'

/** A request's head once its keys are in. */
interface ArmedHead {
  readonly headers: RawHeaders
  /** As it was judged. */
  readonly path: string
  readonly splices: readonly PathSplice[]
}

/**
 * A placeholder that is still there stops the call: the upstream would see it, or the agent meant a host that
 * this key is not for.
 */
export function checkHeadPlaceholders(
  { headers, path, splices }: ArmedHead,
  knock: Knock,
  { placeholders }: KeyRing,
): void {
  for (const { placeholder, key } of placeholders) {
    if (headers.some((value, index) => index % 2 === 1 && holds(value, placeholder.text)))
      throw foreignPlaceholder(key, 'headers', knock)
    if (holdsPlaceholder(path, placeholder, splices))
      throw foreignPlaceholder(key, 'path or query', knock)
  }
}

/** Says where it stood and where it may stand. */
export function foreignPlaceholder(
  key: string,
  place: KeyPlace | 'path or query',
  { origin }: Knock,
): Refusal {
  return refusal('placeholder_not_for_host', 'keys', {
    got: `the placeholder of key ${key} in ${place}, for ${origin.host}`,
    repair: 'send it only to the hosts, methods, paths and places that the key is configured for',
  })
}
