/** A UTF-8 sequence behind its first byte: how many bytes follow, and the bounds of the next (RFC 3629). */
export interface Sequence {
  readonly follow: number
  readonly low: number
  readonly high: number
}

/** What follows a lead byte; undefined where the byte can begin no sequence. */
export function sequenceOf(lead: number): Sequence | undefined {
  if (lead < 0xc2 || lead > 0xf4) return undefined
  const follow = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3
  // The bounds exclude overlong forms, surrogates and what lies beyond U+10FFFF.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  return { follow, low, high }
}

/** Whether a byte is a decimal digit. */
export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** Whether a byte is a hexadecimal digit. */
export function isHex(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
}
