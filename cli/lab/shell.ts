import { spawn } from 'node:child_process'

/** What a command printed and how it ended. */
export interface Ran {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
  /** Both, in the order in which they came. */
  readonly output: string
}

export interface ShellOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input?: string
  /** Milliseconds after which the command is killed; 60 s by default. */
  readonly timeout?: number
}

/** Runs one line of shell to its end. It never rejects: what goes wrong is in the result. */
export function shell(
  line: string,
  { cwd, env, input = '', timeout = 60_000 }: ShellOptions,
): Promise<Ran> {
  return new Promise((resolve) => {
    // A group of its own, so that a command that hangs is ended with everything that it started.
    const child = spawn('/bin/sh', ['-c', line], { cwd, env, detached: true })
    const timer = setTimeout(() => endGroup(child.pid), timeout)
    const said = { stdout: '', stderr: '', output: '' }
    const hear = (stream: 'stdout' | 'stderr') => (text: string) => {
      said[stream] += text
      said.output += text
    }
    child.stdout.setEncoding('utf8').on('data', hear('stdout'))
    child.stderr.setEncoding('utf8').on('data', hear('stderr'))
    child.stdin.on('error', () => undefined).end(input)
    const finish = (exit: number): void => {
      clearTimeout(timer)
      resolve({ exit, ...said })
    }
    child.once('error', () => finish(127))
    child.once('close', (code) => finish(code ?? 137))
  })
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself meanwhile.
  }
}
