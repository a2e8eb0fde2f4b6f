import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Folders that become the program. */
export const PRODUCT = [
  'policy',
  'client',
  'catalog',
  'adapters',
  'gateway',
  'sidecar',
  'cli',
] as const

/** All folders with sources. */
export const SOURCES = [...PRODUCT, 'bench', 'test', 'scripts'] as const

/** What .gitignore names, and git itself: never part of the project. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', '.tap', '.node24', '.tools', 'coverage'])

/**
 * Every file of the project below a folder, as paths from the root. It walks the folders instead of asking git,
 * since CI also tests a copy without a repository, and a file is to be judged before it is committed.
 */
export function filesBelow(folder = ''): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (LEFT_OUT.has(entry.name) || path.endsWith('.tsbuildinfo')) return []
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

/** The TypeScript of some folders. */
export function typescriptIn(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => filesBelow(folder)).filter((path) => path.endsWith('.ts'))
}

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Copies folders and configuration into a temporary place where bad files may be planted; it ends with the test. */
export function copyTree(t: Test, folders: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'narrowgate-rules-'))
  t.teardown(() => rmSync(copy, { recursive: true, force: true }))
  const settings = readdirSync(ROOT).filter((name) =>
    /^(package|tsconfig.*)\.json$|^\.depend/.test(name),
  )
  for (const name of [...settings, ...folders]) {
    const filter = (from: string) => !LEFT_OUT.has(relative(ROOT, from).split('/').at(-1) ?? '')
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

export interface Ran {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a program to its end, for a minute at most. It goes by `env`, since tap gives what a test spawns its own
 * NODE_OPTIONS, with which tsc does not start and everything else is slower than it is.
 */
export function runPlain(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Ran {
  const { PATH, HOME } = process.env
  const { status, stdout, stderr } = spawnSync(
    '/usr/bin/env',
    ['-u', 'NODE_OPTIONS', program, ...args],
    {
      cwd,
      env: { PATH, HOME, NO_COLOR: '1', ...env },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      timeout: 60_000,
    },
  )
  return { exit: status, stdout, stderr }
}

/** A program of a development dependency. */
export function binary(name: string): string {
  return join(ROOT, 'node_modules/.bin', name)
}
