import { spawn } from 'node:child_process'

/** What a command printed and how it ended. */
export interface Ran {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

export interface ShellOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input?: string
  /** Milliseconds after which the command is killed; 15 s by default. */
  readonly timeout?: number
}

/** Runs one line of shell to its end. It never rejects: what goes wrong is in the result. */
export function shell(
  line: string,
  { cwd, env, input = '', timeout = 15_000 }: ShellOptions,
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', line], { cwd, env, timeout, killSignal: 'SIGKILL' })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.stdin.on('error', () => undefined).end(input)
    child.once('error', (error) => resolve({ exit: 127, stdout, stderr: error.message }))
    child.once('close', (code) => resolve({ exit: code ?? 137, stdout, stderr }))
  })
}
