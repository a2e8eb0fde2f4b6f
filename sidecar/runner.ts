import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'

/** The command could not be started. `exit` is what a shell would report: 127 not found, 126 not runnable. */
export class SpawnFault extends Error {
  readonly exit: 126 | 127
  constructor(command: string, code: string | undefined) {
    const missing = code === 'ENOENT'
    super(
      missing
        ? `command: \`${command}\` was not found; check its spelling and PATH`
        : `command: \`${command}\` cannot be run (${code ?? 'unknown'}); check that it may be executed`,
    )
    this.name = 'SpawnFault'
    this.exit = missing ? 127 : 126
  }
}

const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']
/** A terminal sends these to the whole foreground group: forwarding would deliver them twice. */
const FROM_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** Passes signals on while the child lives, and keeps them from ending this process before its summary. */
interface Forwarding {
  /** Says which child it is; what came before goes to it now. */
  to(child: ChildProcess): void
  release(): void
}

/** To be made before the child: a signal in between would end this process alone, and leave the child behind. */
function forwardSignals(terminal: boolean): Forwarding {
  let child: ChildProcess | undefined
  const early: NodeJS.Signals[] = []
  const forward = (signal: NodeJS.Signals): void => {
    if (child === undefined) early.push(signal)
    else child.kill(signal)
  }
  const ignore = (): void => undefined
  for (const signal of FORWARDED) process.on(signal, forward)
  for (const signal of FROM_TERMINAL) process.on(signal, terminal ? ignore : forward)
  return {
    to(started) {
      child = started
      for (const signal of early) child.kill(signal)
    },
    release() {
      for (const signal of FORWARDED) process.off(signal, forward)
      for (const signal of FROM_TERMINAL) process.off(signal, terminal ? ignore : forward)
    },
  }
}

export interface RunOptions {
  /** The child's whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether the child has this process's terminal, as it does by default. */
  readonly stdio?: 'inherit' | 'ignore'
}

/**
 * Runs a command to its end and gives its exit code, or 128 and the signal's number where a signal
 * ended it. Rejects with SpawnFault where it cannot be started.
 */
export function runCommand(
  command: readonly [string, ...string[]],
  { env, stdio = 'inherit' }: RunOptions,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const [program, ...args] = command
    const { to, release } = forwardSignals(process.stdin.isTTY === true)
    const child = spawn(program, args, { env, stdio })
    to(child)
    child.once('error', (error: NodeJS.ErrnoException) => {
      release()
      reject(new SpawnFault(program, error.code))
    })
    child.once('close', (code, signal) => {
      release()
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}
