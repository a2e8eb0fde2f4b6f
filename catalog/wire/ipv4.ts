const OCTET = /^(?:0|[1-9][0-9]{0,2})$/

/** The four numbers of a dotted quad in strict decimal; undefined for anything else, leading zeros included. */
export function parseIpv4(text: string): readonly number[] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => OCTET.test(part))) return undefined
  const octets = parts.map(Number)
  return octets.every((octet) => octet <= 255) ? octets : undefined
}
