import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'

/** A key that notes are checked with (c2sp.org/signed-note). */
export interface VerifierKey {
  readonly name: string
  /** Eight hex digits. */
  readonly id: string
  readonly key: KeyObject
}

/** What a checkpoint says, and whether one of the given keys signed it. */
export interface ReadNote {
  readonly origin: string
  readonly size: number
  /** Lower-case hex. */
  readonly root: string
  readonly isSigned: boolean
}

const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const VERIFIER_KEY = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/
const ED25519 = 1

/** Reads `<name>+<id>+<key>`; undefined of a text that is no Ed25519 verifier key, or whose id is not its own. */
export function readVerifierKey(text: string): VerifierKey | undefined {
  const [, name = '', id = '', value = ''] = VERIFIER_KEY.exec(text.trim()) ?? []
  const typed = Buffer.from(value, 'base64')
  const due = createHash('sha256').update(`${name}\n`).update(typed).digest('hex').slice(0, 8)
  if (typed.length !== 33 || typed[0] !== ED25519 || id !== due) return undefined
  const der = Buffer.concat([SPKI, typed.subarray(1)])
  return { name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

const CHECKPOINT = /^(\S+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:.+\n)*$/
const SIGNATURE = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/

/** Undefined of a text that is no checkpoint (c2sp.org/tlog-checkpoint). */
export function readNote(note: string, keys: readonly VerifierKey[]): ReadNote | undefined {
  const end = note.lastIndexOf('\n\n')
  const text = note.slice(0, end + 1)
  const [, origin, size, root] = CHECKPOINT.exec(text) ?? []
  if (end === -1 || origin === undefined || root === undefined) return undefined
  const lines = note.slice(end + 2).split('\n')
  return {
    origin,
    size: Number(size),
    root: Buffer.from(root, 'base64').toString('hex'),
    isSigned: lines.some((line) => keys.some((key) => isSignature(line, text, key))),
  }
}

function isSignature(line: string, text: string, { name, id, key }: VerifierKey): boolean {
  const [, by, value = ''] = SIGNATURE.exec(line) ?? []
  const bytes = Buffer.from(value, 'base64')
  if (by !== name || bytes.toString('hex', 0, 4) !== id) return false
  return verify(null, Buffer.from(text), key, bytes.subarray(4))
}

/** The notes of a file in which they stand one behind the other, an empty line between; what a crash cut off is none. */
export function splitNotes(text: string): readonly string[] {
  const parts = text.split('\n\n')
  return parts.flatMap((part, at) => {
    const next = parts[at + 1]
    return at % 2 === 0 && next !== undefined && at + 2 < parts.length
      ? [`${part}\n\n${next}\n`]
      : []
  })
}
