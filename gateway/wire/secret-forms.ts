/**
 * One form in which a secret may travel: a row of symbols. Each symbol is the one byte or the other (hex digits of
 * either case, both base64 alphabets), and each may be spelled plain, percent-encoded or JSON-escaped.
 */
export interface Form {
  readonly first: Uint8Array
  readonly second: Uint8Array
}

/** The forms of a secret: as it is, in hex, and in base64 at each of the three alignments. */
export function formsOf(secret: string): readonly Form[] {
  const bytes = Buffer.from(secret, 'utf8')
  return [plain(bytes), hex(bytes), ...[0, 1, 2].map((alignment) => base64At(bytes, alignment))]
}

function plain(bytes: Buffer): Form {
  return { first: bytes, second: bytes }
}

function hex(bytes: Buffer): Form {
  const text = bytes.toString('hex')
  return { first: Buffer.from(text), second: Buffer.from(text.toUpperCase()) }
}

/**
 * The base64 of the secret inside a longer text that puts `alignment` bytes (modulo 3) before it. Only the characters
 * that hold nothing but bits of the secret are certain; the one at each end shares its bits with the neighbours and
 * tells at most four of the secret's.
 */
function base64At(bytes: Buffer, alignment: number): Form {
  const padded = Buffer.concat([Buffer.alloc(alignment), bytes, Buffer.alloc(3)])
  const from = Math.ceil((8 * alignment) / 6)
  const to = Math.floor((8 * (alignment + bytes.length)) / 6)
  return {
    first: Buffer.from(padded.toString('base64').slice(from, to)),
    second: Buffer.from(padded.toString('base64url').slice(from, to)),
  }
}
