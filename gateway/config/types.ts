import type { SinkOptions } from '../../adapters/exports/port.ts'
import type { Secret, SecretSource } from '../../adapters/keys/port.ts'
import type { LedgerMode } from '../../adapters/ledger/port.ts'
import type { Origin, Route } from '../../adapters/upstream/port.ts'
import type { Alias, Tool } from '../../catalog/index.ts'
import type { Guardrail } from '../../policy/index.ts'
import type { Limits } from '../limits.ts'
import type { KeyBinding } from './key-types.ts'
import type { ModelsConfig } from './model-types.ts'
import type { McpServerConfig } from './mcp-types.ts'

/** Where a listener listens. A `tcp` address without a host means all interfaces. */
export type ListenAddress =
  | { readonly kind: 'tcp'; readonly host: string | undefined; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string }

/** What is kept of an answer's body; formats section 4. */
export type Keep = 'upstream' | 'delivered' | 'hash' | 'none'

/** The header in which the client of a mount sends its token. */
export type TokenSlot = 'authorization' | 'x-api-key' | 'api-key'

/** A host pattern, canonical. Without a port it stands for 443 and 80. */
export interface HostPattern {
  /** `api.github.com`, or for a suffix `.githubusercontent.com` (its sub-domains, at any depth). */
  readonly host: string
  readonly suffix: boolean
  readonly port: number | undefined
}

/** A proxy on the way to upstreams. */
export interface ProxyConfig {
  readonly host: string
  readonly port: number
  readonly user: string | undefined
  readonly password: SecretSource | undefined
  /** Hosts (exact, or `.suffix`) that are reached without it. */
  readonly bypass: readonly string[]
}

/** Whether calls to a host can bear a path (`area`) or a model; false is the operator's word that they do not. */
export interface Bears {
  readonly area: boolean
  readonly model: boolean
}

/** What the gateway shows to an upstream that asks for a certificate. */
export interface ClientCertificateConfig {
  /** The text of the PEM file: the certificate, then those of intermediate authorities. */
  readonly cert: string
  readonly key: SecretSource
}

export interface UpstreamConfig {
  readonly name: string
  readonly hosts: readonly HostPattern[]
  readonly address: { readonly host: string; readonly port: number } | undefined
  readonly allowPrivate: readonly string[]
  /** The texts of the PEM files. */
  readonly ca: readonly string[]
  readonly clientCertificate: ClientCertificateConfig | undefined
  readonly proxy: ProxyConfig | undefined
  readonly intercept: boolean
  readonly bears: Bears
  /** Undefined leaves the choice to the catalog row. */
  readonly keep: Keep | undefined
  readonly keys: readonly KeyBinding[]
}

export interface MountConfig {
  /** `/openai`, without a trailing slash; exactly one of `prefix` and `host` is set. */
  readonly prefix: string | undefined
  readonly host: string | undefined
  readonly to: Origin
  /** Path put before the rest of the request's: empty, or `/v1` without a trailing slash. */
  readonly basePath: string
  readonly slot: TokenSlot
}

/** The names of the gateway's own header fields, in lower case. */
export interface HeaderNames {
  readonly session: string
  readonly want: string
  readonly receipt: string
  readonly refused: string
  readonly projected: string
  readonly head: string
  readonly cursor: string
}

/** How links reach their holders. */
export interface SendConfig {
  /** Program and arguments. */
  readonly command: readonly string[]
  /** `https://gate.example.com`, without a trailing slash. */
  readonly base: string
}

export interface OwnerConfig {
  /** Lower-case names of the headers that may hold the owner key. */
  readonly keyHeaders: readonly string[]
  /** Undefined where links cannot be sent. */
  readonly send: SendConfig | undefined
}

export interface PersonsConfig {
  /** Seals the keys that persons store; undefined where none can be stored. */
  readonly key: SecretSource | undefined
  /** Name of the cookie that may hold a session. */
  readonly cookie: string
}

/** The operator's own policies over all tokens. */
export interface GuardrailsConfig {
  /** `shadow` lets a forbidden call pass and records it. */
  readonly mode: 'enforce' | 'shadow'
  /** Those of all files, in order. */
  readonly guardrails: readonly Guardrail[]
}

/** What the texts of ways have to know besides. */
export interface WaysConfig {
  /** The machine on which the command line is set up, as `ssh` takes it. */
  readonly sshHost: string | undefined
  /** Where the owner's browser reaches the console, without a path. */
  readonly console: string | undefined
}

/** The door for clients of the Model Context Protocol. */
export interface McpConfig {
  /** As many of a holder's tools are listed by themselves; the others are found by `resolve`. */
  readonly toolsListed: number
}

/** Where grants, revocations, leashes and the counters of uses lie. */
export interface GrantsConfig {
  readonly driver: 'embedded' | 'postgres'
  /** Undefined for the embedded store. */
  readonly url: SecretSource | undefined
  /** How long news of the database may be lost before every call asks for itself. */
  readonly staleMs: number
  readonly limits: GrantLimitsConfig
}

/** What the tokens of one grant may do together; undefined means as much as they like. */
export interface GrantLimitsConfig {
  readonly callsPerMinute: number | undefined
  readonly concurrent: number | undefined
}

/** What answers questions to the ledger. */
export interface LedgerIndexConfig {
  readonly driver: 'embedded' | 'postgres'
  /** Undefined for the embedded index. */
  readonly url: SecretSource | undefined
}

/** Where checkpoints and sealed segments are carried to. */
export interface AnchorConfig {
  /** Name of a bucket that can be written to. */
  readonly bucket: string
  readonly prefix: string
  readonly deadlineMs: number
}

/** The log of receipts. */
export interface LedgerConfig {
  readonly driver: 'embedded'
  readonly mode: LedgerMode
  /** What it is called in its checkpoints: no spaces, no `+`. */
  readonly name: string
  /** Milliseconds from one checkpoint to the next. */
  readonly checkpointMs: number
  /** A segment of so many bytes is sealed. */
  readonly segmentBytes: number
  /** Undefined where checkpoints and segments stay on this disk alone. */
  readonly anchor: AnchorConfig | undefined
  readonly index: LedgerIndexConfig
  /** Where the feed is carried to; their names differ. */
  readonly exports: readonly ExportConfig[]
}

/** The options of a sink, with the sources of its secrets in place of these. */
export type ExportConfig = Sourced<SinkOptions>

type Sourced<T> = T extends unknown
  ? {
      readonly [K in keyof T]: T[K] extends Secret | undefined ? SecretSource | undefined : T[K]
    }
  : never

/** A bucket of objects under its name. */
export type BucketConfig = {
  readonly name: string
  readonly readOnly: boolean
} & (
  | { readonly driver: 'embedded' }
  | { readonly driver: 'postgres'; readonly url: SecretSource }
  | {
      readonly driver: 's3'
      /** Without a trailing slash. */
      readonly endpoint: string
      readonly region: string
      readonly bucket: string
      readonly accessKeyId: SecretSource
      readonly secretAccessKey: SecretSource
    }
)

export type Engine = 'fast' | 'general'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** A whole, checked and deeply frozen configuration, defaults filled in, paths absolute. */
export interface Config {
  /** The configuration file, or undefined where the defaults alone are used. */
  readonly file: string | undefined
  /** The state folder. */
  readonly state: string
  readonly listen: { readonly proxy: ListenAddress; readonly owner: ListenAddress }
  /** Undefined means `<state>/build.key`. The first one mints; all of them verify. */
  readonly buildKeys: readonly SecretSource[] | undefined
  /** Undefined means `<state>/owner.key`. */
  readonly ownerKey: SecretSource | undefined
  readonly owner: OwnerConfig
  readonly persons: PersonsConfig
  readonly grantLabel: string
  readonly unknownHosts: 'allow' | 'refuse'
  readonly upstreams: readonly UpstreamConfig[]
  readonly mounts: readonly MountConfig[]
  /** The rows of all catalog files, in order, and those of the table of models. */
  readonly catalog: readonly Tool[]
  /** Words that mean tools, before those of the program. */
  readonly aliases: readonly Alias[]
  readonly models: ModelsConfig
  readonly mcpServers: readonly McpServerConfig[]
  readonly guardrails: GuardrailsConfig
  readonly ways: WaysConfig
  readonly doors: { readonly graphql: boolean; readonly webhook: boolean }
  readonly mcp: McpConfig
  readonly grants: GrantsConfig
  readonly ledger: LedgerConfig
  readonly store: {
    readonly driver: 'embedded'
    readonly maxBytes: number
    /** Undefined: bodies are kept as long as there is room. */
    readonly maxDays: number | undefined
  }
  readonly buckets: readonly BucketConfig[]
  /** Who serves and sends plain HTTP/1.1: the fast engine, or the general one alone. */
  readonly engine: Engine
  readonly limits: Limits
  readonly headers: HeaderNames
  readonly log: { readonly level: LogLevel }
  /** For every upstream without a proxy of its own. */
  readonly proxy: ProxyConfig | undefined
  /** Lower-case hex SHA-256 of what was read: configuration file, catalog, guardrail and CA files. */
  readonly version: string
}

/** What the command line says over the file. */
export interface Overrides {
  readonly state?: string | undefined
  readonly listen?:
    | { readonly proxy?: string | undefined; readonly owner?: string | undefined }
    | undefined
}

/** One thing that is wrong, with its repair. It never holds a secret's value. */
export interface Problem {
  /** Where: `upstreams[0].hosts[1]`, or `line 3, column 5` where the YAML itself is broken. */
  readonly path: string
  readonly got: string
  readonly repair: string
}

export type Loaded =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** All that the configuration says of one origin. */
export interface ResolvedUpstream {
  /** The upstream's name, or the host where the configuration does not list it. */
  readonly name: string
  readonly route: Route
  readonly intercept: boolean
  readonly bears: Bears
  readonly keep: Keep | undefined
  readonly keys: readonly KeyBinding[]
}
