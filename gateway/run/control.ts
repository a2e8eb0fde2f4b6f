import type { Control } from '../../catalog/index.ts'
import type { Knock, Retries } from '../knock.ts'
import { refusal } from '../refusal.ts'

/** Methods that may be sent again whatever became of them (RFC 9110, 9.2.2). */
const IDEMPOTENT: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']

/**
 * How the call is carried out, as its knock says it.
 * @throws Refusal where it is to be made again, and might be done twice
 */
export function carriedOut(
  { timeout_ms: within, dry_run: dry, retries = 0, idempotency_key: key }: Control,
  method: string,
  body: Retries['body'],
): Pick<Knock, 'within' | 'dryRun' | 'retries'> {
  if (retries > 0 && key === undefined && !IDEMPOTENT.includes(method))
    throw refusal('not_supported', 'control.retries', {
      got: `${retries} for a ${method}`,
      repair: 'write control.idempotency_key, if the upstream knows such keys, or leave it out',
    })
  return {
    within,
    ...(dry === true && { dryRun: true }),
    ...(retries > 0 && { retries: { most: retries, body } }),
  }
}
