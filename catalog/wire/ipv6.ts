import { parseIpv4 } from './ipv4.ts'

const GROUP = /^[0-9a-f]{1,4}$/i

/** The eight 16-bit groups of an IPv6 address (RFC 4291 section 2.2), or undefined. Zone ids are not part of it. */
function parseIpv6(text: string): readonly number[] | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [left, right] = halves.map(parseGroups)
  if (left === undefined) return undefined
  if (halves.length === 1) return left.length === 8 ? left : undefined
  if (right === undefined || left.length + right.length > 7) return undefined
  // A dotted quad ends the address: before the `::` it would stand in its middle.
  if (halves[0]!.includes('.')) return undefined
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function parseGroups(text: string): number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    const quad = index === parts.length - 1 ? parseIpv4(part) : undefined
    if (quad !== undefined) groups.push((quad[0]! << 8) | quad[1]!, (quad[2]! << 8) | quad[3]!)
    else if (GROUP.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}

/** An IPv6 address as RFC 5952 writes it, mapped IPv4 (section 5) included; undefined where it is none. */
export function canonicalIpv6(text: string): string | undefined {
  const groups = parseIpv6(text)
  if (groups === undefined) return undefined
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high, low] = [groups[6]!, groups[7]!]
    return `::ffff:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  }
  const hex = groups.map((group) => group.toString(16))
  const [start, length] = longestZeros(groups)
  if (length < 2) return hex.join(':')
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`
}

/** Where the longest run of zero groups starts, the first of equals, and its length. */
function longestZeros(groups: readonly number[]): readonly [number, number] {
  let best: readonly [number, number] = [0, 0]
  let start = 0
  for (let at = 0; at <= groups.length; at++) {
    if (groups[at] === 0) continue
    if (at - start > best[1]) best = [start, at - start]
    start = at + 1
  }
  return best
}
