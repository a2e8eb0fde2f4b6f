import type { SecretSource } from '../../adapters/keys/port.ts'
import type { LedgerMode } from '../../adapters/ledger/port.ts'
import type { Origin, Route } from '../../adapters/upstream/port.ts'
import type { Tool } from '../../catalog/index.ts'
import type { Limits } from '../limits.ts'

/** Where a listener listens. A `tcp` address without a host means all interfaces. */
export type ListenAddress =
  | { readonly kind: 'tcp'; readonly host: string | undefined; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string }

/** What is kept of an answer's body; formats section 4. */
export type Keep = 'upstream' | 'delivered' | 'hash' | 'none'

/** The header in which the client of a mount sends its token. */
export type TokenSlot = 'authorization' | 'x-api-key' | 'api-key'

/** How a key gets into a request. */
export type KeyUse =
  /** Sets `header` to `format`, in which `{}` is the key. */
  | { readonly kind: 'header'; readonly header: string; readonly format: string }
  /** Sets Authorization to Basic credentials of this user with the key as the password. */
  | { readonly kind: 'basic'; readonly user: string }
  /** Replaces this text in header values and in Basic credentials. */
  | { readonly kind: 'placeholder'; readonly text: string }

/** One key of one upstream. Its value is in the snapshot's secrets, under `name`. */
export interface KeyBinding {
  /** Unique in the configuration; the name that receipts show. */
  readonly name: string
  readonly secret: SecretSource
  readonly use: KeyUse
  /** Upper-case methods that the key is for; undefined means all. */
  readonly methods: readonly string[] | undefined
  /** Globs (`*` over any characters) over the path without its query; undefined means all. */
  readonly paths: readonly string[] | undefined
  /** The person whose key it is: it goes only with a token whose `keys` line names this person. */
  readonly person: string | undefined
}

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

export interface UpstreamConfig {
  readonly name: string
  readonly hosts: readonly HostPattern[]
  readonly address: { readonly host: string; readonly port: number } | undefined
  readonly allowPrivate: readonly string[]
  /** The texts of the PEM files. */
  readonly ca: readonly string[]
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
  readonly want: string
  readonly receipt: string
  readonly refused: string
  readonly projected: string
  readonly head: string
  readonly cursor: string
}

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
  readonly grantLabel: string
  readonly unknownHosts: 'allow' | 'refuse'
  readonly upstreams: readonly UpstreamConfig[]
  readonly mounts: readonly MountConfig[]
  /** The rows of all catalog files, in order. */
  readonly catalog: readonly Tool[]
  readonly ledger: { readonly driver: 'embedded'; readonly mode: LedgerMode }
  readonly store: { readonly driver: 'embedded'; readonly maxBytes: number }
  readonly limits: Limits
  readonly headers: HeaderNames
  readonly log: { readonly level: LogLevel }
  /** For every upstream without a proxy of its own. */
  readonly proxy: ProxyConfig | undefined
  /** Lower-case hex SHA-256 of what was read: configuration file, catalog and CA files. */
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
