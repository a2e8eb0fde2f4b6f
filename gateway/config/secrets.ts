import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Secret, SecretReader, SecretSource } from '../../adapters/keys/port.ts'
import type { KeyBinding } from './key-types.ts'
import { mcpSecretName } from './mcp-types.ts'
import { clientKeyName, proxyPasswordName } from './resolve.ts'
import type { Config, Problem } from './types.ts'

export type SecretsRead =
  | { readonly ok: true; readonly secrets: ReadonlyMap<string, Secret> }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** A shorter key could be found in an answer by chance, and masking would damage the answer. */
const LEAST_KEY_BYTES = 16
const UNFIT_FOR_A_HEADER = /[^\t\u0020-\u007e]/

interface Wanted {
  readonly path: string
  readonly name: string
  readonly source: SecretSource
  readonly leastBytes: number
  /** Of a private key: the certificate that it has to belong to. */
  readonly cert?: string
}

type Outcome = { readonly name: string; readonly secret: Secret } | { readonly problem: Problem }

/** Reads every upstream key and proxy password, and tells all that are missing or unfit. */
export async function readSecrets(config: Config, reader: SecretReader): Promise<SecretsRead> {
  const outcomes = await Promise.all(wantedSecrets(config).map((wanted) => readOne(wanted, reader)))
  const problems = outcomes.flatMap((outcome) => ('problem' in outcome ? [outcome.problem] : []))
  if (problems.length > 0) return { ok: false, problems }
  const read = outcomes.flatMap((outcome) => ('secret' in outcome ? [outcome] : []))
  return { ok: true, secrets: new Map(read.map(({ name, secret }) => [name, secret])) }
}

function wantedSecrets(config: Config): readonly Wanted[] {
  const keys = config.upstreams.flatMap((upstream, i) =>
    upstream.keys.flatMap((key, k) => [
      ...wantedKey(key, `upstreams[${i}].keys[${k}].secret`),
      ...wantedBySigV4(key, `upstreams[${i}].keys[${k}].sigv4`),
    ]),
  )
  const proxies = [
    { path: 'proxy.password', name: proxyPasswordName(undefined), source: config.proxy?.password },
    ...config.upstreams.map((upstream, i) => ({
      path: `upstreams[${i}].proxy.password`,
      name: proxyPasswordName(upstream.name),
      source: upstream.proxy?.password,
    })),
  ]
  const passwords = proxies.flatMap(({ source, ...rest }) =>
    source === undefined ? [] : [{ ...rest, source, leastBytes: 1 }],
  )
  return [
    ...keys,
    ...passwords,
    ...wantedByCertificates(config),
    ...wantedForPersons(config),
    ...wantedForGrants(config),
    ...wantedForIndex(config),
    ...wantedForExports(config),
    ...wantedForBuckets(config),
    ...wantedForServers(config),
  ]
}

/** The private keys of the certificates that upstreams are shown. */
function wantedByCertificates({ upstreams }: Config): readonly Wanted[] {
  return upstreams.flatMap(({ name, clientCertificate }, i) => {
    if (clientCertificate === undefined) return []
    const { cert, key } = clientCertificate
    const path = `upstreams[${i}].client_certificate.key`
    return [{ path, name: clientKeyName(name), source: key, leastBytes: 1, cert }]
  })
}

/** Under which name the address of the grants' database is kept among the secrets. */
export const GRANTS_URL = 'grants:url'

/** It may hold a password. */
function wantedForGrants({ grants: { url } }: Config): readonly Wanted[] {
  return url === undefined
    ? []
    : [{ path: 'grants.url', name: GRANTS_URL, source: url, leastBytes: 1 }]
}

/** Under which name the address of the ledger's database is kept among the secrets. */
export const LEDGER_URL = 'ledger:url'

/** It may hold a password. */
function wantedForIndex({ ledger }: Config): readonly Wanted[] {
  const { url } = ledger.index
  return url === undefined
    ? []
    : [{ path: 'ledger.index.url', name: LEDGER_URL, source: url, leastBytes: 1 }]
}

/** Under which name a secret of an export is kept among the secrets. */
export function exportSecretName(sink: string, what: 'secret' | 'authorization'): string {
  return `export:${what}:${sink}`
}

/** A signing secret has at least what Standard Webhooks ask for. */
function wantedForExports({ ledger: { exports } }: Config): readonly Wanted[] {
  return exports.flatMap((sink, i) => {
    const secret = 'secret' in sink ? sink.secret : undefined
    const authorization = 'authorization' in sink ? sink.authorization : undefined
    const want = (what: 'secret' | 'authorization', source: SecretSource, leastBytes: number) => {
      const path = `ledger.exports[${i}].${what}`
      return { path, name: exportSecretName(sink.name, what), source, leastBytes }
    }
    return [
      ...(secret === undefined ? [] : [want('secret', secret, 24)]),
      ...(authorization === undefined ? [] : [want('authorization', authorization, 8)]),
    ]
  })
}

/** Under which name a secret of a bucket is kept among the secrets. */
export function bucketSecretName(
  bucket: string,
  what: 'url' | 'access_key_id' | 'secret_access_key',
): string {
  return `bucket:${what}:${bucket}`
}

function wantedForBuckets({ buckets }: Config): readonly Wanted[] {
  return buckets.flatMap((bucket, i) => {
    const want = (
      what: Parameters<typeof bucketSecretName>[1],
      source: SecretSource,
      leastBytes: number,
    ) => {
      const path = `buckets[${i}].${what}`
      return { path, name: bucketSecretName(bucket.name, what), source, leastBytes }
    }
    if (bucket.driver === 'postgres') return [want('url', bucket.url, 1)]
    if (bucket.driver === 'embedded') return []
    const { accessKeyId, secretAccessKey } = bucket
    return [
      want('access_key_id', accessKeyId, 1),
      want('secret_access_key', secretAccessKey, LEAST_KEY_BYTES),
    ]
  })
}

/** As long as keys are: they are looked for in answers. */
function wantedForServers({ mcpServers }: Config): readonly Wanted[] {
  return mcpServers.flatMap(({ name: server, way }, i) => {
    if (way.kind !== 'command') return []
    return Object.entries(way.secretEnv).map(([variable, source]) => ({
      path: `mcp_servers[${i}].secret_env.${variable}`,
      name: mcpSecretName(server, variable),
      source,
      leastBytes: LEAST_KEY_BYTES,
    }))
  })
}

/** Under which name the key that seals persons' keys is kept among the secrets. */
export const PERSONS_KEY = 'persons:key'

/** It keeps others' secrets, so it is as long as the gateway's own. */
function wantedForPersons({ persons: { key } }: Config): readonly Wanted[] {
  if (key === undefined) return []
  return [{ path: 'persons.key', name: PERSONS_KEY, source: key, leastBytes: 32 }]
}

/** A personal key is not in the configuration. */
function wantedKey({ name, secret }: KeyBinding, path: string): readonly Wanted[] {
  if (secret === undefined) return []
  return [{ path, name, source: secret, leastBytes: LEAST_KEY_BYTES }]
}

/** The other two parts of AWS credentials: the id is shown to everybody, the session token to nobody. */
function wantedBySigV4({ name, use }: KeyBinding, at: string): readonly Wanted[] {
  if (use.kind !== 'sigv4') return []
  const { accessKeyId, sessionToken } = use
  const id = {
    path: `${at}.access_key_id`,
    name: accessKeyIdName(name),
    source: accessKeyId,
    leastBytes: 1,
  }
  if (sessionToken === undefined) return [id]
  const path = `${at}.session_token`
  const leastBytes = LEAST_KEY_BYTES
  return [id, { path, name: sessionTokenName(name), source: sessionToken, leastBytes }]
}

/** Under which name the access key id of a SigV4 key is kept among the secrets. */
export function accessKeyIdName(key: string): string {
  // A colon is in no key's name, so that the kinds never meet.
  return `${key}:access_key_id`
}

/** Under which name the session token of a SigV4 key is kept among the secrets. */
export function sessionTokenName(key: string): string {
  return `${key}:session_token`
}

async function readOne(wanted: Wanted, reader: SecretReader): Promise<Outcome> {
  const { path, name, source } = wanted
  try {
    const secret = await reader.read(name, source)
    const problem = judge(secret.reveal(), wanted)
    return problem === undefined ? { name, secret } : { problem }
  } catch (error) {
    // The reader's texts name the source and never the value; that is its contract.
    const got = error instanceof Error ? error.message : 'an error'
    return { problem: { path, got, repair: 'make the source give the secret' } }
  }
}

function judge(value: string, { path, leastBytes, cert }: Wanted): Problem | undefined {
  if (cert !== undefined) return judgePrivateKey(value, path, cert)
  const bytes = Buffer.byteLength(value)
  if (bytes < leastBytes) {
    return {
      path,
      got: `a secret of ${bytes} bytes`,
      repair: `use one of at least ${leastBytes} bytes`,
    }
  }
  if (!UNFIT_FOR_A_HEADER.test(value)) return undefined
  const got = 'a secret with a character that a header cannot hold'
  return { path, got, repair: 'store it as one line of ASCII' }
}

function judgePrivateKey(pem: string, path: string, cert: string): Problem | undefined {
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(pem))) return undefined
  } catch {
    // The library's text could quote the key.
    const got = 'a secret that is no private key in PEM, or an encrypted one'
    return { path, got, repair: 'make the source give the key of `cert`, PEM and not encrypted' }
  }
  const got = 'a private key that does not belong to the certificate'
  return { path, got, repair: 'make the source give the key of `cert`' }
}
