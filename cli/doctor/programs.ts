import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Terminal } from '../terminal.ts'

/** Whether a program of this name can be run from PATH. */
export function onPath(program: string, env: Terminal['env']): boolean {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && executable(join(folder, program)))
}

/** Whether there is a file at this path that can be run. */
export function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
