import { spawn } from 'node:child_process'
import type { Sender } from './port.ts'

const LONGEST_MS = 30_000

/**
 * Runs the command without a shell. The link is one line of its standard input and the receiver is in the variable
 * `NARROWGATE_TO`: arguments can be read by every process of the machine.
 */
export function createCommandSender({
  env,
  folder,
}: {
  readonly env: Readonly<Record<string, string | undefined>>
  /** In which commands run. */
  readonly folder: string
}): Sender {
  return {
    send: ({ link, to }, [program = '', ...args]) =>
      new Promise((resolve, reject) => {
        const child = spawn(program, args, {
          cwd: folder,
          env: { ...env, NARROWGATE_TO: to },
          // What it prints may hold the link.
          stdio: ['pipe', 'ignore', 'ignore'],
          // Not `timeout`: its timer outlives a program that could not be started.
          signal: AbortSignal.timeout(LONGEST_MS),
          killSignal: 'SIGKILL',
        })
        const fail = (how: string) => reject(new Error(`command \`${program}\`: ${how}`))
        child.once('error', (error) => fail(whyOf(error)))
        child.once('exit', (code, signal) => {
          if (code === 0) resolve()
          else fail(signal === null ? `exit code \`${code}\`` : `signal \`${signal}\``)
        })
        // A program that does not read its input has ended before; its exit tells.
        child.stdin.once('error', () => undefined)
        child.stdin.end(`${link}\n`)
      }),
  }
}

function whyOf(error: NodeJS.ErrnoException): string {
  if (error.name === 'AbortError') return `stopped after ${LONGEST_MS / 1000} s`
  return `\`${error.code ?? 'unknown'}\``
}
