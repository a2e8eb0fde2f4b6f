/** A path with white space has to be quoted: the JVM splits JAVA_TOOL_OPTIONS at blanks. */
function quoted(option: string): string {
  return /\s/.test(option) ? `"${option}"` : option
}

/** Java wants `|` between hosts and `127.*` for the loopback range, and brackets around IPv6. */
function nonProxyHosts(bypass: string): string {
  return bypass
    .split(',')
    .map((host) => (host === '127.0.0.1' ? '127.*' : host))
    .map((host) => (host.startsWith('.') ? `*${host}` : host))
    .map((host) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host))
    .join('|')
}

export interface JavaSurroundings {
  /** The operator's own JAVA_TOOL_OPTIONS; it stays in front, ours win where both name a property. */
  readonly own: string | undefined
  /** Path of a PKCS #12 store. */
  readonly truststore: string
  readonly gateway: { readonly host: string; readonly port: number }
  /** A NO_PROXY list. */
  readonly bypass: string
}

/**
 * JAVA_TOOL_OPTIONS for a JVM behind the gateway. The empty `disabledSchemes` allows Basic
 * credentials on CONNECT, which the JDK refuses by default.
 */
export function javaOptions({ own, truststore, gateway, bypass }: JavaSurroundings): string {
  const port = String(gateway.port)
  const ours = [
    `-Djavax.net.ssl.trustStore=${truststore}`,
    '-Djavax.net.ssl.trustStoreType=PKCS12',
    '-Djdk.http.auth.tunneling.disabledSchemes=',
    `-Dhttps.proxyHost=${gateway.host}`,
    `-Dhttps.proxyPort=${port}`,
    `-Dhttp.proxyHost=${gateway.host}`,
    `-Dhttp.proxyPort=${port}`,
    `-Dhttp.nonProxyHosts=${nonProxyHosts(bypass)}`,
  ].map(quoted)
  return [...(own === undefined || own.trim() === '' ? [] : [own.trim()]), ...ours].join(' ')
}

/** The trust store that an operator's own options name, with its password. */
export function namedTruststore(
  options: string | undefined,
): { readonly file: string; readonly password: string } | undefined {
  const property = (name: string): string | undefined =>
    new RegExp(`-Djavax\\.net\\.ssl\\.${name}=("[^"]*"|\\S*)`).exec(options ?? '')?.[1]
  const file = property('trustStore')
  return file === undefined || file === ''
    ? undefined
    : { file: file.replaceAll('"', ''), password: property('trustStorePassword') ?? 'changeit' }
}
