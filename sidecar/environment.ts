import { javaOptions } from './java.ts'

/** The files that trust variables name. */
export interface TrustFiles {
  /** System roots, the operator's own certificates and the gateway's CA, PEM. */
  readonly bundle: string
  /** The operator's own certificates and the gateway's CA, for programs that add to their roots. */
  readonly extra: string
  /** A folder with the gateway's CA under its OpenSSL name. */
  readonly folder: string
  /** The bundle as PKCS #12. */
  readonly truststore: string
}

/** Everything that the variables are made from. */
export interface Surroundings {
  /** Where the proxy listens, as the command reaches it. IPv6 without brackets. */
  readonly gateway: { readonly host: string; readonly port: number }
  /** The g1 token; it appears in values, never in names. */
  readonly token: string
  readonly trust: TrustFiles
  /** The operator's own environment; its values are merged where a variable is a list. */
  readonly own: Readonly<Record<string, string | undefined>>
}

/** What a variable is for: the proxy's URL, a part of it, who is exempt, or which certificates to trust. */
export type VariableKind = 'proxy' | 'bypass' | 'trust' | 'switch'

export interface Variable {
  readonly name: string
  readonly kind: VariableKind
  /** Who reads it. */
  readonly readers: string
  readonly value: (around: Surroundings) => string
}

/** Host and port as they stand in a URL. */
function authority({ host, port }: Surroundings['gateway']): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The user name half is fixed: several clients send nothing at all unless both halves are there. */
function proxyUrl(around: Surroundings): string {
  return `http://agent:${around.token}@${authority(around.gateway)}`
}

const LOCAL = ['localhost', '127.0.0.1', '::1'] as const

/**
 * Hosts that go past the proxy: this machine, the gateway itself, and the operator's own list.
 * A lone `*` of the operator's is dropped, because it would take every call past the gateway.
 */
function bypassList(around: Surroundings): string {
  const own = [around.own['NO_PROXY'], around.own['no_proxy']]
    .flatMap((list) => (list ?? '').split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '' && item !== '*')
  return [...new Set([...LOCAL, around.gateway.host, ...own])].join(',')
}

/** OpenSSL and Go take a colon-separated list, so an operator's own folders stay in front. */
function certificateFolders(around: Surroundings): string {
  const own = (around.own['SSL_CERT_DIR'] ?? '').split(':').filter((folder) => folder !== '')
  return [...new Set([...own, around.trust.folder])].join(':')
}

function proxy(name: string, readers: string): Variable {
  return {
    name,
    kind: 'proxy',
    readers,
    value: proxyUrl,
  }
}

function bypass(name: string, readers: string): Variable {
  return {
    name,
    kind: 'bypass',
    readers,
    value: bypassList,
  }
}

/** These replace a program's store, so each names the merged bundle. */
function bundle(name: string, readers: string): Variable {
  return {
    name,
    kind: 'trust',
    readers,
    value: (around) => around.trust.bundle,
  }
}

function fixed(name: string, value: string, readers: string): Variable {
  return {
    name,
    kind: 'switch',
    readers,
    value: () => value,
  }
}

/** The one table of variables: `run` sets it, `env` prints it, docs/cli.md lists it. */
export const VARIABLES: readonly Variable[] = [
  proxy('HTTPS_PROXY', 'curl, git, pip, npm, python, go, cargo, undici'),
  proxy('https_proxy', 'wget, apt, aria2 and all that read the lower case only'),
  proxy('HTTP_PROXY', 'python, go, ruby, undici'),
  proxy('http_proxy', 'curl and wget for http URLs, ruby, apt'),
  proxy('ALL_PROXY', 'curl, git, requests, httpx, cargo'),
  proxy('all_proxy', 'curl, git, aria2'),
  proxy('ws_proxy', 'aiohttp and curl for WebSockets'),
  proxy('wss_proxy', 'aiohttp and curl for WebSockets'),
  proxy('GRPC_PROXY', 'gRPC wrappers'),
  proxy('grpc_proxy', 'grpcio, grpc-js'),
  proxy('GLOBAL_AGENT_HTTP_PROXY', 'global-agent of Node'),
  proxy('GLOBAL_AGENT_HTTPS_PROXY', 'global-agent of Node'),
  proxy('DOCKER_HTTP_PROXY', 'docker builds'),
  proxy('DOCKER_HTTPS_PROXY', 'docker builds'),
  fixed('CLOUDSDK_PROXY_TYPE', 'http', 'gcloud'),
  {
    name: 'CLOUDSDK_PROXY_ADDRESS',
    kind: 'proxy',
    readers: 'gcloud',
    value: (around) => around.gateway.host,
  },
  {
    name: 'CLOUDSDK_PROXY_PORT',
    kind: 'proxy',
    readers: 'gcloud',
    value: (around) => String(around.gateway.port),
  },
  fixed('CLOUDSDK_PROXY_USERNAME', 'agent', 'gcloud'),
  {
    name: 'CLOUDSDK_PROXY_PASSWORD',
    kind: 'proxy',
    readers: 'gcloud',
    value: (around) => around.token,
  },
  bypass('NO_PROXY', 'most programs'),
  bypass('no_proxy', 'wget, apt, grpc-js'),
  bypass('GLOBAL_AGENT_NO_PROXY', 'global-agent of Node'),
  fixed('NODE_USE_ENV_PROXY', '1', 'Node 22.21, 24 and later: fetch and http follow the variables'),
  {
    name: 'NODE_EXTRA_CA_CERTS',
    kind: 'trust',
    readers: 'Node, which adds to its own roots',
    value: (around) => around.trust.extra,
  },
  bundle('SSL_CERT_FILE', 'OpenSSL, go, python, ruby, cargo, uv'),
  {
    name: 'SSL_CERT_DIR',
    kind: 'trust',
    readers: 'OpenSSL, go, python, ruby',
    value: certificateFolders,
  },
  bundle('CURL_CA_BUNDLE', 'curl, requests'),
  bundle('REQUESTS_CA_BUNDLE', 'requests, boto3'),
  bundle('PIP_CERT', 'pip'),
  bundle('AWS_CA_BUNDLE', 'boto3, aws-cli'),
  bundle('npm_config_cafile', 'npm'),
  bundle('GIT_SSL_CAINFO', 'git, git-lfs'),
  bundle('CARGO_HTTP_CAINFO', 'cargo'),
  bundle('GRPC_DEFAULT_SSL_ROOTS_FILE_PATH', 'grpcio, grpc-js'),
  bundle('PERL_LWP_SSL_CA_FILE', 'Perl LWP'),
  bundle('NIX_SSL_CERT_FILE', 'nix'),
  bundle('DENO_CERT', 'deno'),
  bundle('CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE', 'gcloud'),
  fixed('UV_NATIVE_TLS', 'true', 'uv, which then reads SSL_CERT_FILE'),
  {
    name: 'JAVA_TOOL_OPTIONS',
    kind: 'trust',
    readers: 'every JVM: trust store, proxy host and port, Basic credentials on CONNECT',
    value: (around) =>
      javaOptions({
        own: around.own['JAVA_TOOL_OPTIONS'],
        truststore: around.trust.truststore,
        gateway: around.gateway,
        bypass: bypassList(around),
      }),
  },
]

/** Names of variables in which an operator may have named a bundle of certificates before. */
export const BUNDLE_VARIABLES: readonly string[] = VARIABLES.filter(
  ({ name, kind }) => kind === 'trust' && name !== 'SSL_CERT_DIR' && name !== 'JAVA_TOOL_OPTIONS',
).map(({ name }) => name)

/** All variables with their values, in the order of the table. Pure. */
export function createEnvironment(around: Surroundings): Readonly<Record<string, string>> {
  return Object.fromEntries(VARIABLES.map(({ name, value }) => [name, value(around)]))
}
