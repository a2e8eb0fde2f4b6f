import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SecretReader } from '../../../adapters/keys/port.ts'
import type { State, StateOpened } from '../../../gateway/state/open.ts'

/** A path in a new temporary folder; nothing is there yet. */
export function freshFolder(): string {
  return join(mkdtempSync(join(tmpdir(), 'narrowgate-state-')), 'state')
}

/** Reads files alone. */
export const fileReader: SecretReader = {
  async read(name, source) {
    if (!('file' in source)) throw new Error('only files are read here')
    const value = readText(source.file).trim()
    const redacted = (): string => name
    return { name, reveal: () => value, redacted, toJSON: redacted, toString: redacted }
  },
}

export function stateOf(opened: StateOpened): State {
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems))
  return opened.state
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Error(`the file \`${path}\` cannot be read`)
  }
}
