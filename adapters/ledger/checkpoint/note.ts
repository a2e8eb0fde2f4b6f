import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { Secret } from '../../keys/port.ts'

/** Signs notes with an Ed25519 key, and knows its own again (c2sp.org/signed-note). */
export interface NoteSigner {
  /** What others verify with: `<name>+<key id>+<key>`. */
  readonly verifierKey: string
  /** The signed note: the text, which ends with a line feed, an empty line, the signature. */
  sign(text: string): string
  /** The text of a note which this key has signed, under whatever name it had then; undefined of any other. */
  open(note: string): string | undefined
}

const SEED_BYTES = 32
/** Before the seed of an Ed25519 key in PKCS #8 (RFC 8410, 7), and before its public half (RFC 8410, 4). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_BYTES = 12
/** Ed25519 among the types of signatures. */
const ED25519 = Buffer.from([1])
const SIGNATURE = /^— ([^ +]+) ([A-Za-z0-9+/]+={0,2})$/

/** A seed in base64url as the state folder has it, as bytes; undefined where it is none. */
function seedOf(text: string): Buffer | undefined {
  const seed = Buffer.from(text, 'base64url')
  return seed.length === SEED_BYTES && seed.toString('base64url') === text ? seed : undefined
}

/**
 * @param name what stands for the key in its notes: no spaces, no `+`
 * @param key 32 bytes in base64url
 * @throws TypeError where the key is none
 */
export function createSigner(name: string, key: Secret): NoteSigner {
  const seed = seedOf(key.reveal())
  if (seed === undefined) throw new TypeError('ledger key: it must be 32 bytes in base64url')
  const secret = createPrivateKey({
    key: Buffer.concat([PKCS8, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const open = createPublicKey(secret)
  const typed = Buffer.concat([
    ED25519,
    open.export({ format: 'der', type: 'spki' }).subarray(SPKI_BYTES),
  ])
  const id = keyId(name, typed)
  return {
    verifierKey: `${name}+${id.toString('hex')}+${typed.toString('base64')}`,
    sign(text) {
      const signature = Buffer.concat([id, sign(null, Buffer.from(text), secret)])
      return `${text}\n— ${name} ${signature.toString('base64')}\n`
    },
    open(note) {
      const end = note.lastIndexOf('\n\n') + 1
      const text = note.slice(0, end)
      const isOwn = (line: string): boolean => {
        const [, by = '', value = ''] = SIGNATURE.exec(line) ?? []
        const bytes = Buffer.from(value, 'base64')
        const isMine = bytes.subarray(0, 4).equals(keyId(by, typed))
        return isMine && verify(null, Buffer.from(text), open, bytes.subarray(4))
      }
      return end > 0 &&
        note
          .slice(end + 1)
          .split('\n')
          .some(isOwn)
        ? text
        : undefined
    },
  }
}

/** The first four bytes of SHA-256 over name, line feed, type and key. */
function keyId(name: string, typed: Buffer): Buffer {
  return createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)
}
