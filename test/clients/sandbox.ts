import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../rig/processes.ts'
import type { Finished } from '../rig/processes.ts'
import type { Rig } from '../rig/rig.ts'
import { FROM_SOURCE } from '../helpers/from-source.ts'

/** Where a client program runs: its own namespace, a fresh home, and no variable but those it was given. */
export interface Sandbox {
  /** The home and working folder. */
  readonly folder: string
  /** The variables that the gateway printed. */
  readonly variables: Readonly<Record<string, string>>
  /** Writes a file below `folder` and gives its path. */
  file(path: string, text: string): string
  /** Runs a program; `settings` are the program's own, never the proxy's or the authority's. */
  exec(argv: readonly string[], settings?: Readonly<Record<string, string>>): Promise<Finished>
  /** A file of `programs/`. */
  program(name: string): string
  /** Puts the gateway's authority where browsers look for it below their home. */
  trustInBrowsers(): Promise<void>
  /** Runs one of `programs/` under this very Node. */
  node(program: string, ...args: readonly string[]): Promise<Finished>
}

/** Debian's own programs, and this Node before them; no shims of the machine's user. */
export const SYSTEM_PATH = [
  dirname(process.execPath),
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
].join(':')

const PROGRAMS = join(import.meta.dirname, 'programs')

export function createSandbox(rig: Rig, variables: Readonly<Record<string, string>>): Sandbox {
  const folder = mkdtempSync(join(rig.folder, 'home-'))
  const exec: Sandbox['exec'] = (argv, settings = {}) =>
    run(rig.network.inside('client', argv), {
      cwd: folder,
      env: { PATH: SYSTEM_PATH, HOME: folder, ...settings, ...variables },
    })
  return {
    folder,
    variables,
    file(path, text) {
      const whole = join(folder, path)
      mkdirSync(dirname(whole), { recursive: true })
      writeFileSync(whole, text)
      return whole
    },
    exec,
    program: (name) => join(PROGRAMS, name),
    trustInBrowsers: () => rig.gateway.trustIn(join(folder, '.pki/nssdb')),
    node: (program, ...args) =>
      exec([process.execPath, FROM_SOURCE, join(PROGRAMS, program), ...args]),
  }
}
