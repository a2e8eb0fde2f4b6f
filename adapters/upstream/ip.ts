import { isIP, isIPv4 } from 'node:net'

/** An address as its 4 or 16 bytes. */
export type IpBytes = readonly number[]

/** The bytes of an IPv4 or IPv6 text (zone dropped), or undefined where it is neither. */
export function parseIp(text: string): IpBytes | undefined {
  const bare = text.split('%', 1)[0] ?? ''
  if (isIP(bare) === 0) return undefined
  return isIPv4(bare) ? bare.split('.').map(Number) : parseIpv6(bare)
}

function parseIpv6(text: string): IpBytes {
  const [head = '', tail] = text.split('::')
  const front = groups(head)
  const back = tail === undefined ? [] : groups(tail)
  const gap = Array.from({ length: 16 - front.length - back.length }, () => 0)
  return [...front, ...gap, ...back]
}

function groups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

/** A range of addresses of one family. */
export interface Cidr {
  readonly bytes: IpBytes
  readonly bits: number
}

/** Parses `10.0.0.0/8` or a single address; throws a RangeError that shows the text. */
export function parseCidr(text: string): Cidr {
  const [address = '', length, ...rest] = text.split('/')
  const bytes = parseIp(address)
  const most = (bytes?.length ?? 0) * 8
  const bits = length === undefined ? most : Number(length)
  const whole = length === undefined || /^\d{1,3}$/.test(length)
  if (bytes === undefined || rest.length > 0 || !whole || bits > most) {
    throw new RangeError(`not an address range: \`${text}\`; write it as 10.0.0.0/8 or fd00::/8`)
  }
  return { bytes, bits }
}

/** Whether the range holds the address; a range of the other family never does. */
export function contains(range: Cidr, address: IpBytes): boolean {
  if (range.bytes.length !== address.length) return false
  const whole = range.bits >> 3
  for (let i = 0; i < whole; i++) if (range.bytes[i] !== address[i]) return false
  const rest = range.bits & 7
  if (rest === 0) return true
  const mask = (0xff << (8 - rest)) & 0xff
  return ((range.bytes[whole] ?? 0) & mask) === ((address[whole] ?? 0) & mask)
}
