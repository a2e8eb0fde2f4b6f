import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The compiled program; `npm test` builds it before the tests run. */
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Ran {
  readonly exit: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly input?: string | Buffer
  readonly timeout?: number
}

/** The environment without what would change a test: colours, our own variables, another proxy. */
export function cleanEnv(more: RunOptions['env'] = {}): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, ...more }
}

export function start(args: readonly string[], options: RunOptions = {}): ChildProcess {
  const { env, cwd = '/tmp', timeout = 60_000 } = options
  return spawn(process.execPath, [MAIN, ...args], { cwd, env: cleanEnv(env), timeout })
}

/** Runs the program to its end. */
export function narrowgate(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = start(args, options)
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
    child.once('error', reject)
    child.once('close', (exit, signal) => {
      const [stdout, stderr] = [out, err].map((chunks) => Buffer.concat(chunks).toString('utf8'))
      resolve({ exit, signal, stdout: stdout ?? '', stderr: stderr ?? '' })
    })
    child.stdin?.on('error', () => undefined).end(options.input ?? '')
  })
}
