import { contains, parseCidr, parseIp } from './ip.ts'
import type { Cidr, IpBytes } from './ip.ts'

/** What kind of address it is; embedded IPv4 is named behind the form that embeds it, as `nat64:private`. */
type AddressClass = string

interface Classified {
  readonly allow: boolean
  readonly class: AddressClass
}

type Row = readonly [range: string, name: AddressClass]

/**
 * First match counts. Sources: the IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates)
 * and the metadata services of the large clouds, which hand out credentials to whoever reaches them.
 */
const IPV4: readonly Row[] = [
  ['169.254.169.254/32', 'metadata'], // AWS, Google, Azure, Oracle, DigitalOcean
  ['169.254.170.2/32', 'metadata'], // AWS container credentials
  ['169.254.170.23/32', 'metadata'], // AWS pod identity
  ['100.100.100.200/32', 'metadata'], // Alibaba
  ['192.0.0.192/32', 'metadata'], // Oracle, older
  ['168.63.129.16/32', 'metadata'], // Azure's wire server, in public space
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'cgnat'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link_local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['0.0.0.0/0', 'public'],
]

const IPV6: readonly Row[] = [
  ['fd00:ec2::254/128', 'metadata'], // AWS
  ['fd00:ec2::23/128', 'metadata'], // AWS pod identity
  ['fd20:ce::254/128', 'metadata'], // Google
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['2001::/32', 'teredo'],
  ['2001:2::/48', 'benchmarking'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
  ['fc00::/7', 'unique_local'],
  ['fe80::/10', 'link_local'],
  ['fec0::/10', 'site_local'],
  ['ff00::/8', 'multicast'],
  ['2000::/3', 'public'],
  ['::/0', 'reserved'], // IPv4-compatible, translated, local NAT64, discard and all that is not yet given out
]

/** Forms that carry an IPv4 address: where it starts, and the name put before its class. */
const EMBEDDED: readonly { range: string; at: number; name: string }[] = [
  { range: '::ffff:0:0/96', at: 12, name: 'ipv4_mapped' },
  { range: '64:ff9b::/96', at: 12, name: 'nat64' },
  { range: '2002::/16', at: 2, name: '6to4' },
]

interface ParsedRow {
  readonly range: Cidr
  readonly name: AddressClass
}

const parseRow = ([range, name]: Row): ParsedRow => ({ range: parseCidr(range), name })
const ipv4Rows = IPV4.map(parseRow)
const ipv6Rows = IPV6.map(parseRow)
const embeddings = EMBEDDED.map((row) => ({ ...row, range: parseCidr(row.range) }))

function classOf(rows: readonly ParsedRow[], address: IpBytes): AddressClass {
  return rows.find((row) => contains(row.range, address))?.name ?? 'reserved'
}

function embeddedIpv4(
  address: IpBytes,
): { readonly name: string; readonly ipv4: IpBytes } | undefined {
  const form = embeddings.find((row) => contains(row.range, address))
  return form && { name: form.name, ipv4: address.slice(form.at, form.at + 4) }
}

/**
 * Names the class of an address and whether it may be dialled: `public` may, also inside NAT64, 6to4 and
 * mapped forms; everything else may not. A text that is no address is `invalid`.
 */
export function classifyAddress(ip: string): Classified {
  const address = parseIp(ip)
  if (address === undefined) return { allow: false, class: 'invalid' }
  if (address.length === 4) return verdict(classOf(ipv4Rows, address))
  const embedded = embeddedIpv4(address)
  if (embedded === undefined) return verdict(classOf(ipv6Rows, address))
  const inner = classOf(ipv4Rows, embedded.ipv4)
  return { allow: inner === 'public', class: `${embedded.name}:${inner}` }
}

function verdict(name: AddressClass): Classified {
  return { allow: name === 'public', class: name }
}

/**
 * As `classifyAddress`, but the operator's ranges are allowed too. A metadata service is allowed only by a range
 * that names it alone: nobody who opens 100.64.0.0/10 or fd00::/8 means to give credentials away.
 */
export function judgeAddress(ip: string, allowPrivate: readonly Cidr[]): Classified {
  const found = classifyAddress(ip)
  const address = parseIp(ip)
  if (found.allow || address === undefined) return found
  const forms = [address, embeddedIpv4(address)?.ipv4 ?? address]
  const single = found.class.endsWith('metadata')
  const allow = allowPrivate.some(
    (range) =>
      (!single || range.bits === range.bytes.length * 8) &&
      forms.some((form) => contains(range, form)),
  )
  return { allow, class: found.class }
}
