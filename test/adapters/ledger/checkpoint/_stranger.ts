import { createHash, createPublicKey, verify } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { segmentFiles } from '../rig.ts'

/** What a note says, where its first signature is right by the key alone; throws where it is not. */
export function readSigned(note: string, verifierKey: string) {
  const [name = '', id = '', ...rest] = verifierKey.split('+')
  const typed = Buffer.from(rest.join('+'), 'base64')
  const due = createHash('sha256').update(`${name}\n`).update(typed).digest('hex').slice(0, 8)
  if (typed[0] !== 1 || due !== id) throw new Error('the verifier key is none')
  const key = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)]),
    format: 'der',
    type: 'spki',
  })
  const [text = '', line = ''] = note.split('\n\n')
  const [dash, by, value = ''] = line.trimEnd().split(' ')
  const bytes = Buffer.from(value, 'base64')
  if (dash !== '—' || by !== name || bytes.toString('hex', 0, 4) !== id)
    throw new Error('the note is signed by another key')
  if (!verify(null, Buffer.from(`${text}\n`), key, bytes.subarray(4)))
    throw new Error('the signature is wrong')
  const [origin = '', size = '', root = ''] = text.split('\n')
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') }
}

/** The lines of all records, headers left out. */
export function leavesOf(folder: string, writer?: string): readonly Buffer[] {
  return segmentFiles(folder, writer)
    .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
    .filter((line) => !line.startsWith('{"kind":"segment"', 65))
    .map((line) => Buffer.from(line))
}

/** The notes of a checkpoint file; none where there is no file yet. */
export function notesOf(file: string): readonly string[] {
  if (!existsSync(file)) return []
  const parts = readFileSync(file, 'utf8').split('\n\n')
  const notes: string[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) notes.push(`${parts[at]}\n\n${parts[at + 1]}\n`)
  return notes
}

/** Changes a log as somebody does who can make its chain of hashes anew. */
export function rewrite(folder: string, change: (json: string) => string, writer?: string): void {
  let last = '0'.repeat(64)
  for (const file of segmentFiles(folder, writer)) {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const anew = lines.map((line) => {
      const json = change(line.slice(65).replace(/"prev":"[0-9a-f]{64}"/, `"prev":"${last}"`))
      last = createHash('sha256').update(last, 'hex').update(json).digest('hex')
      return `${last} ${json}\n`
    })
    writeFileSync(file, anew.join(''))
  }
}
