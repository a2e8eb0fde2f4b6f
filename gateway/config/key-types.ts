import type { SecretSource } from '../../adapters/keys/port.ts'
import type { Origin } from '../../adapters/upstream/port.ts'

/** Where in a request a placeholder is replaced. */
export type KeyPlace = 'headers' | 'query' | 'path' | 'body' | 'websocket'

/** How a key gets into a request. */
export type KeyUse =
  /** Sets `header` to `format`, in which `{}` is the key. */
  | { readonly kind: 'header'; readonly header: string; readonly format: string }
  /** Sets Authorization to Basic credentials of this user with the key as the password. */
  | { readonly kind: 'basic'; readonly user: string }
  /** Sets the query parameter of this name. */
  | { readonly kind: 'query'; readonly parameter: string }
  | PlaceholderUse
  | SigV4Use
  | HmacUse
  | OauthUse

/** Replaces this text, which the client sends, in these places. */
export interface PlaceholderUse {
  readonly kind: 'placeholder'
  readonly text: string
  readonly places: readonly KeyPlace[]
}

/** Signs with AWS Signature Version 4; the key is the secret access key. */
export interface SigV4Use {
  readonly kind: 'sigv4'
  /** The secrets under `<key>:access_key_id` and `<key>:session_token`. */
  readonly accessKeyId: SecretSource
  readonly sessionToken: SecretSource | undefined
  readonly region: string
  readonly service: string
}

/** A part of the request that an HMAC covers. */
export type HmacPart =
  | 'method'
  | 'host'
  | 'path'
  | 'query'
  | 'target'
  | 'timestamp'
  | 'body'
  | 'body_sha256'

/** Signs with an HMAC whose key is the key. */
export interface HmacUse {
  readonly kind: 'hmac'
  readonly header: string
  /** The header's text, with `{}` for the signature. */
  readonly format: string
  /** What is signed: texts as they are, parts by name. */
  readonly message: readonly ({ readonly text: string } | { readonly part: HmacPart })[]
  readonly algorithm: 'sha1' | 'sha256' | 'sha512'
  readonly encoding: 'hex' | 'base64' | 'base64url'
  readonly timestampHeader: string | undefined
  readonly timestampUnit: 's' | 'ms'
}

/** Sets Authorization to a Bearer token that the key, the client's secret, was exchanged for (RFC 6749, 4.4). */
export interface OauthUse {
  readonly kind: 'oauth'
  readonly tokenUrl: { readonly origin: Origin; readonly path: string }
  readonly clientId: string
  readonly scope: string | undefined
  readonly clientAuth: 'basic' | 'body'
}

/** One key of one upstream. Its value is in the snapshot's secrets, under `name`. */
export interface KeyBinding {
  /** Unique in the configuration; the name that receipts show. */
  readonly name: string
  /** Undefined for a personal key, whose values persons store. */
  readonly secret: SecretSource | undefined
  /** Where a person stored this one: the name of the personal key that it stands for. */
  readonly personal?: string
  readonly use: KeyUse
  /** Upper-case methods that the key is for; undefined means all. */
  readonly methods: readonly string[] | undefined
  /** Globs (`*` over any characters) over the path without its query; undefined means all. */
  readonly paths: readonly string[] | undefined
  /** The person whose key it is: it goes only with a token whose `keys` line names this person. */
  readonly person: string | undefined
}
