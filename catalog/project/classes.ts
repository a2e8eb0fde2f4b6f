/** How many bytes follow each lead byte of a UTF-8 sequence (RFC 3629); 0 where it can begin none. */
export const FOLLOW: Uint8Array = Uint8Array.from({ length: 256 }, (_, lead) => {
  if (lead < 0xc2 || lead > 0xf4) return 0
  return lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3
})

/** The least that may come next behind a lead byte: excludes overlong forms. */
export function leastBehind(lead: number): number {
  return lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
}

/** The most that may come next behind a lead byte: excludes surrogates and what lies beyond U+10FFFF. */
export function mostBehind(lead: number): number {
  return lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
}

/** Whether a byte is a hexadecimal digit. */
export function isHex(byte: number): boolean {
  const lower = byte | 0x20
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x66)
}

// What a byte is between tokens.
export const SPACE = 1
export const LINE_FEED = 2
export const QUOTE = 3
export const NUMBER = 4
export const LITERAL = 5
export const OPEN = 6
export const CLOSE = 7
export const COLON = 8
export const COMMA = 9

/** The first bytes of each kind, from SPACE on. */
const FIRST = [' \t\r', '\n', '"', '-0123456789', 'tfn', '[{', ']}', ':', ',']

/** What each byte is between tokens; 0 where it can stand there as nothing. */
export const KIND: Uint8Array = Uint8Array.from(
  { length: 256 },
  (_, byte) => 1 + FIRST.findIndex((bytes) => bytes.includes(String.fromCharCode(byte))),
)

export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
