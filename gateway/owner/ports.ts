import type { Clock } from '../../adapters/clock/port.ts'
import type { Secret } from '../../adapters/keys/port.ts'
import type { Ledger, LedgerIndex } from '../../adapters/ledger/port.ts'
import type { Axis } from '../../policy/index.ts'
import type { ListenAddress } from '../config/index.ts'
import type { Log } from '../ports.ts'

/** What the owner doors need from outside. */
export interface OwnerPorts {
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  readonly ownerKey: Secret
  /** The configured address of the listener, whose host a browser may name. */
  readonly listen: ListenAddress
  /** What is not ready yet, by name: configuration, keys, ca, ledger, cedar; empty when all stand. */
  notReady(): readonly string[]
  /** The Prometheus registry. */
  readonly registry: { readonly contentType: string; metrics(): Promise<string> }
  readonly axes: readonly Pick<Axis, 'name' | 'ops' | 'value' | 'says' | 'example'>[]
  readonly ledger: Pick<Ledger, 'head' | 'ready' | 'stats' | 'mode'>
  readonly index: Pick<LedgerIndex, 'list' | 'get' | 'sync' | 'lag'>
  /** The program's version. */
  readonly version: string
  /** Version of the configuration in force. */
  configVersion(): string
}
