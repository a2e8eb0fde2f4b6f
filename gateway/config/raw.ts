import type { SecretSource } from '../../adapters/keys/port.ts'
import type { LedgerMode } from '../../adapters/ledger/port.ts'
import type { Alias, Dialect } from '../../catalog/index.ts'
import type { KeyPlace } from './key-types.ts'
import type { Engine, HeaderNames, Keep, LogLevel, TokenSlot } from './types.ts'

/** The configuration as it is written, in the shape that the schema guarantees, with its defaults filled in. */
export interface RawConfig {
  readonly state: string
  readonly listen: { readonly proxy: string; readonly owner: string }
  readonly build_keys?: readonly SecretSource[]
  readonly owner_key?: SecretSource
  readonly owner: {
    readonly key_headers: readonly string[]
    readonly send?: { readonly command: readonly string[]; readonly base: string }
  }
  readonly persons: { readonly key?: SecretSource; readonly cookie: string }
  readonly grant_label: string
  readonly unknown_hosts: 'allow' | 'refuse'
  readonly upstreams: readonly RawUpstream[]
  readonly mounts: readonly RawMount[]
  readonly catalog: readonly string[]
  readonly aliases: readonly Alias[]
  readonly models: { readonly default_model?: string; readonly table: readonly RawModel[] }
  readonly mcp_servers: readonly RawMcpServer[]
  readonly guardrails: { readonly files: readonly string[]; readonly mode: 'enforce' | 'shadow' }
  readonly ways: { readonly ssh_host?: string; readonly console?: string }
  readonly doors: { readonly graphql: boolean; readonly webhook: boolean }
  readonly mcp: { readonly tools_listed: number }
  readonly grants: {
    readonly driver: 'embedded' | 'postgres'
    readonly url?: SecretSource
    readonly stale_ms: number
    readonly limits?: { readonly calls_per_minute?: number; readonly concurrent?: number }
  }
  readonly ledger: RawLedger
  readonly store: {
    readonly driver: 'embedded'
    readonly max_bytes: number
    readonly max_days?: number
  }
  readonly buckets: readonly RawBucket[]
  readonly engine: Engine
  readonly limits: Readonly<Record<string, number>>
  readonly headers: HeaderNames
  readonly log: { readonly level: LogLevel }
  readonly proxy?: RawProxy
}

export interface RawBucket {
  readonly name: string
  readonly driver: 'embedded' | 'postgres' | 's3'
  readonly read_only: boolean
  readonly url?: SecretSource
  readonly endpoint?: string
  readonly region?: string
  readonly bucket?: string
  readonly access_key_id?: SecretSource
  readonly secret_access_key?: SecretSource
}

export interface RawProxy {
  readonly url: string
  readonly user?: string
  readonly password?: SecretSource
  readonly bypass: readonly string[]
}

export interface RawClientCertificate {
  readonly cert: string
  readonly key: SecretSource
}

export interface RawUpstream {
  readonly name: string
  readonly hosts: readonly string[]
  readonly address?: string
  readonly allow_private: readonly string[]
  readonly ca: readonly string[]
  readonly client_certificate?: RawClientCertificate
  readonly proxy?: RawProxy
  readonly intercept: boolean
  readonly bears: { readonly area: boolean; readonly model: boolean }
  readonly keep?: Keep
  readonly keys: readonly RawKey[]
}

export interface RawLedger {
  readonly driver: 'embedded'
  readonly mode: LedgerMode
  readonly name: string
  readonly checkpoint_ms: number
  readonly segment_bytes: number
  readonly anchor?: {
    readonly bucket: string
    readonly prefix: string
    readonly deadline_ms: number
  }
  readonly index: { readonly driver: 'embedded' | 'postgres'; readonly url?: SecretSource }
  readonly exports: readonly RawExport[]
}

export interface RawExport {
  readonly name: string
  readonly type: 'webhook' | 'otlp' | 'files' | 'bucket'
  readonly format: 'json' | 'ocsf' | 'parquet'
  readonly url?: string
  readonly secret?: SecretSource
  readonly authorization?: SecretSource
  readonly batch?: number
  readonly deadline_ms?: number
  readonly folder?: string
  readonly bucket?: string
  readonly prefix?: string
  readonly max_bytes?: number
  readonly max_seconds?: number
}

export interface RawKey {
  readonly name: string
  readonly personal: boolean
  readonly secret?: SecretSource
  readonly header?: string
  readonly format?: string
  readonly basic_user?: string
  readonly query?: string
  readonly placeholder?: string
  readonly places?: readonly KeyPlace[]
  readonly sigv4?: RawSigV4
  readonly hmac?: RawHmac
  readonly oauth?: RawOauth
  readonly person?: string
  readonly methods?: readonly string[]
  readonly paths?: readonly string[]
}

export interface RawSigV4 {
  readonly access_key_id: SecretSource
  readonly session_token?: SecretSource
  readonly region: string
  readonly service: string
}

export interface RawHmac {
  readonly header: string
  readonly format: string
  readonly message: string
  readonly algorithm: 'sha1' | 'sha256' | 'sha512'
  readonly encoding: 'hex' | 'base64' | 'base64url'
  readonly timestamp_header?: string
  readonly timestamp_unit: 's' | 'ms'
}

export interface RawOauth {
  readonly token_url: string
  readonly client_id: string
  readonly scope?: string
  readonly client_auth: 'basic' | 'body'
}

export interface RawModel {
  readonly name: string
  readonly tool: string
  readonly url?: string
  readonly dialect: Dialect
  readonly model?: string
  readonly max_tokens?: number
}

export interface RawMcpServer {
  readonly name: string
  readonly prefix: string
  readonly url?: string
  readonly key?: string
  readonly command?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly secret_env?: Readonly<Record<string, SecretSource>>
  readonly keep?: Keep
}

export interface RawMount {
  readonly prefix?: string
  readonly host?: string
  readonly to: string
  readonly slot: TokenSlot
}
