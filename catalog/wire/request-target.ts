/** The parts of an origin that a request target spells; structurally the origin of the upstream port. */
interface TargetOrigin {
  readonly scheme: 'http' | 'https'
  /** Lower-case ASCII host name, dotted IPv4, or IPv6 without brackets. */
  readonly host: string
  readonly port: number
}

/**
 * The one spelling of "this method on this resource", such as `GET https://api.example:443/v1?x=1`.
 * What is judged and what is sent are compared by it, so both sides must make it here.
 * The port is always written; `path` holds path and query, byte for byte; for a tunnel it is empty.
 */
export function requestTarget(method: string, origin: TargetOrigin, path: string): string {
  const host = origin.host.includes(':') ? `[${origin.host}]` : origin.host
  return `${method} ${origin.scheme}://${host}:${origin.port}${path}`
}
