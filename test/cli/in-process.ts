import { PassThrough } from 'node:stream'
import { runProgram } from '../../cli/program.ts'
import { createScreen, type Terminal } from '../../cli/terminal.ts'

export interface Said {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line in this process, with a terminal that remembers. */
export async function run(
  args: readonly string[],
  {
    env = {},
    cwd = '/tmp',
    input = '',
  }: Partial<Pick<Terminal, 'env' | 'cwd'>> & { input?: string } = {},
): Promise<Said> {
  // It is read when all is said.
  const out = new PassThrough({ highWaterMark: 2 ** 30 })
  const err = new PassThrough()
  const stdin = new PassThrough()
  stdin.end(input)
  const exit = await runProgram(args, {
    out: createScreen(out, env),
    err: createScreen(err, env),
    env,
    cwd,
    stdin,
  })
  const textOf = (stream: PassThrough): string => String(stream.read() ?? '')
  return { exit, stdout: textOf(out), stderr: textOf(err) }
}
