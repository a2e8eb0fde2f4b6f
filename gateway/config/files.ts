import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expandPath } from './paths.ts'

/** Reads the files that a configuration is made of, and remembers them for its version. */
export interface ConfigFiles {
  /** The absolute form of a path as the configuration writes it. */
  expand(path: string): string
  /** The text, or why it cannot be read (`ENOENT`). */
  read(path: string): { readonly text: string } | { readonly why: string }
  /** Lower-case hex SHA-256 of all that was read, in order. */
  version(): string
}

/** `base` is the folder to which relative paths refer. */
export function createConfigFiles(base: string, env: NodeJS.ProcessEnv): ConfigFiles {
  const hash = createHash('sha256')
  return {
    expand: (path) => expandPath(path, base, env),
    read(path) {
      const read = readText(expandPath(path, base, env))
      if ('text' in read) hash.update(`${Buffer.byteLength(read.text)}\n`).update(read.text)
      return read
    },
    version: () => hash.copy().digest('hex'),
  }
}

function readText(path: string): { readonly text: string } | { readonly why: string } {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    return { why: (error as NodeJS.ErrnoException).code ?? 'unreadable' }
  }
}
