import { execFileSync, fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Ready } from './contestants/contestant.ts'

/** A process of the bench that has said where it listens. */
export interface Running {
  readonly process: ChildProcess
  readonly pid: number
  readonly ready: Ready
}

/** Starts a module of this folder as a process, on the given core where the machine can pin (taskset). */
export async function start(
  module: string,
  args: readonly string[],
  core: number,
): Promise<Running> {
  const file = new URL(
    `./${module}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
    import.meta.url,
  )
  const child = fork(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], ...pinned(core) })
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Ready))
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`${module} ended with code ${code} before it listened`)),
    )
  })
  child.removeAllListeners('exit')
  return { process: child, pid: child.pid ?? 0, ready }
}

export function stop({ process: child }: Running): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.disconnect()
  })
}

/** Whether contestants and load can be kept on cores of their own. */
export const canPin = existsSync('/usr/bin/taskset') && availableParallelism() >= 2

/** Keeps this process, which makes the load, on the given core. */
export function pinSelf(core: number): void {
  if (canPin)
    execFileSync('/usr/bin/taskset', ['-a', '-cp', String(core), String(process.pid)], {
      stdio: 'ignore',
    })
}

function pinned(core: number): { execPath?: string; execArgv?: string[] } {
  if (!canPin) return {}
  return {
    execPath: '/usr/bin/taskset',
    execArgv: ['-c', String(core), process.execPath, ...process.execArgv],
  }
}
