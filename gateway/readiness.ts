import type { Grants } from '../adapters/grants/port.ts'
import type { Ledger } from '../adapters/ledger/port.ts'
import type { Decider } from '../policy/index.ts'
import type { Log } from './ports.ts'

/**
 * Names what is not ready. Configuration, keys and CA stand before anything is listened to; the ledger, the grants
 * and the policy engine can fail later on, so they are asked each time.
 */
export function createReadiness(
  decider: Pick<Decider, 'selfTest'>,
  stores: { readonly ledger: Pick<Ledger, 'ready'>; readonly grants: Pick<Grants, 'ready'> },
  log: Log,
): () => readonly string[] {
  const cedarFault = testCedar(decider, log)
  const { ledger, grants } = stores
  return () => [
    ...(cedarFault ? ['cedar'] : []),
    ...(ledger.ready().ok ? [] : ['ledger']),
    ...(grants.ready() ? [] : ['grants']),
  ]
}

function testCedar(decider: Pick<Decider, 'selfTest'>, log: Log): boolean {
  try {
    decider.selfTest()
    return false
  } catch (error) {
    log.error({ error }, 'the policy engine failed its self-test: nothing is let through')
    return true
  }
}
