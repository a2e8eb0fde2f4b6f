import type { Secret } from '../../adapters/keys/port.ts'
import type { Origin, Route } from '../../adapters/upstream/port.ts'
import { covers, portsOf } from './check/hosts.ts'
import type { Bears, Config, ProxyConfig, ResolvedUpstream, UpstreamConfig } from './types.ts'

/** A configuration with the secrets that were read for it. */
export interface Resolvable {
  readonly config: Config
  /** By the name of the key, or of the proxy's password (`proxyPasswordName`). */
  readonly secrets: ReadonlyMap<string, Secret>
}

/** By host, or `.suffix`, and then by port. */
type Listed = ReadonlyMap<string, ReadonlyMap<number, ResolvedUpstream>>

interface Table {
  readonly listed: Listed
  readonly unlisted: Omit<ResolvedUpstream, 'name'>
}

const BEARS_ANYTHING: Bears = { area: true, model: true }
const tables = new WeakMap<Config, Table>()

/**
 * All that the configuration says of an origin: an exact host comes before a suffix, a longer suffix
 * before a shorter one. A host that no upstream lists gets no key; it is undefined, to be refused as
 * `host_unknown`, where `unknown_hosts: refuse` stands and no mount or catalog row names it either.
 */
export function resolveUpstream(from: Resolvable, origin: Origin): ResolvedUpstream | undefined {
  const table = tableOf(from)
  const listed = findListed(table.listed, origin)
  if (listed !== undefined) return listed
  if (from.config.unknownHosts === 'refuse' && !isNamed(from.config, origin)) return undefined
  return { name: origin.host, ...table.unlisted }
}

/** How a host of the gateway's own choice is reached, whether or not a client may reach it: a token endpoint. */
export function routeTo(from: Resolvable, origin: Origin): Route {
  const table = tableOf(from)
  return (findListed(table.listed, origin) ?? table.unlisted).route
}

/** Under which name the password of a proxy is kept among the secrets; `upstream` is undefined for the proxy for all. */
export function proxyPasswordName(upstream: string | undefined): string {
  // A colon is in no key's name, so that the two kinds never meet.
  return upstream === undefined ? 'proxy:password' : `proxy:password:${upstream}`
}

/** Under which name the private key of an upstream's client certificate is kept among the secrets. */
export function clientKeyName(upstream: string): string {
  return `client_certificate:key:${upstream}`
}

function findListed(listed: Listed, { host, port }: Origin): ResolvedUpstream | undefined {
  const exact = listed.get(host)?.get(port)
  if (exact !== undefined) return exact
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    const suffix = listed.get(host.slice(dot))?.get(port)
    if (suffix !== undefined) return suffix
  }
  return undefined
}

/** Whether a mount or a catalog row leads to the host, though no upstream lists it. */
function isNamed({ mounts, catalog }: Config, { host, port, scheme }: Origin): boolean {
  if (mounts.some(({ to }) => to.host === host && to.port === port)) return true
  return catalog.some((tool) => {
    const suffix = tool.host.startsWith('*.')
    const pattern = { host: suffix ? tool.host.slice(1) : tool.host, suffix, port: tool.port }
    return tool.scheme === scheme && covers(pattern, host, port)
  })
}

function tableOf(from: Resolvable): Table {
  const known = tables.get(from.config)
  if (known !== undefined) return known
  const table = createTable(from)
  tables.set(from.config, table)
  return table
}

function createTable({ config, secrets }: Resolvable): Table {
  const everyones = routeProxy(config.proxy, secrets.get(proxyPasswordName(undefined)))
  const listed = new Map<string, Map<number, ResolvedUpstream>>()
  for (const upstream of config.upstreams) {
    const own = routeProxy(upstream.proxy, secrets.get(proxyPasswordName(upstream.name)))
    const shown = routeCertificate(upstream, secrets.get(clientKeyName(upstream.name)))
    const resolved = resolveOne(upstream, { ...everyones, ...own, ...shown })
    for (const pattern of upstream.hosts) {
      const ports = listed.get(pattern.host) ?? new Map<number, ResolvedUpstream>()
      for (const port of portsOf(pattern)) ports.set(port, resolved)
      listed.set(pattern.host, ports)
    }
  }
  const unlisted = {
    route: everyones,
    intercept: true,
    bears: BEARS_ANYTHING,
    keep: undefined,
    keys: [],
  }
  return { listed, unlisted: Object.freeze(unlisted) }
}

function resolveOne(upstream: UpstreamConfig, way: Route): ResolvedUpstream {
  const { name, address, allowPrivate, ca, intercept, bears, keep, keys } = upstream
  const route: Route = { ...way, ...(address === undefined ? {} : { address }), allowPrivate, ca }
  return Object.freeze({ name, route: Object.freeze(route), intercept, bears, keep, keys })
}

function routeCertificate({ clientCertificate }: UpstreamConfig, key: Secret | undefined): Route {
  if (clientCertificate === undefined || key === undefined) return {}
  return { clientCertificate: { cert: clientCertificate.cert, key } }
}

function routeProxy(proxy: ProxyConfig | undefined, password: Secret | undefined): Route {
  if (proxy === undefined) return {}
  const { host, port, user, bypass } = proxy
  if (user === undefined) return { proxy: { host, port }, noProxy: bypass }
  const credentials = Buffer.from(`${user}:${password?.reveal() ?? ''}`).toString('base64')
  return { proxy: { host, port, authorization: `Basic ${credentials}` }, noProxy: bypass }
}
