import type { SecretSource } from '../../adapters/keys/port.ts'
import type { LedgerMode } from '../../adapters/ledger/port.ts'
import type { HeaderNames, Keep, LogLevel, TokenSlot } from './types.ts'

/** The configuration as it is written, in the shape that the schema guarantees, with its defaults filled in. */
export interface RawConfig {
  readonly state: string
  readonly listen: { readonly proxy: string; readonly owner: string }
  readonly build_keys?: readonly SecretSource[]
  readonly owner_key?: SecretSource
  readonly grant_label: string
  readonly unknown_hosts: 'allow' | 'refuse'
  readonly upstreams: readonly RawUpstream[]
  readonly mounts: readonly RawMount[]
  readonly catalog: readonly string[]
  readonly ledger: { readonly driver: 'embedded'; readonly mode: LedgerMode }
  readonly store: { readonly driver: 'embedded'; readonly max_bytes: number }
  readonly limits: Readonly<Record<string, number>>
  readonly headers: HeaderNames
  readonly log: { readonly level: LogLevel }
  readonly proxy?: RawProxy
}

export interface RawProxy {
  readonly url: string
  readonly user?: string
  readonly password?: SecretSource
  readonly bypass: readonly string[]
}

export interface RawUpstream {
  readonly name: string
  readonly hosts: readonly string[]
  readonly address?: string
  readonly allow_private: readonly string[]
  readonly ca: readonly string[]
  readonly proxy?: RawProxy
  readonly intercept: boolean
  readonly bears: { readonly area: boolean; readonly model: boolean }
  readonly keep?: Keep
  readonly keys: readonly RawKey[]
}

export interface RawKey {
  readonly name: string
  readonly secret: SecretSource
  readonly header?: string
  readonly format?: string
  readonly basic_user?: string
  readonly placeholder?: string
  readonly person?: string
  readonly methods?: readonly string[]
  readonly paths?: readonly string[]
}

export interface RawMount {
  readonly prefix?: string
  readonly host?: string
  readonly to: string
  readonly slot: TokenSlot
}
