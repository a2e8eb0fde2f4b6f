import { spawn } from 'node:child_process'
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'
import { createInterface } from 'node:readline'

const STOP_MS = 10_000

/** What a program left behind. */
export interface Finished {
  /** Exit code, or the name of the signal that ended it. */
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
  /** Both, for texts that a program may print on either. */
  readonly output: string
}

export interface RunOptions {
  readonly cwd?: string
  /** The whole environment: nothing of this process's is added. */
  readonly env: Readonly<Record<string, string>>
  /** After which it is killed; 60,000 by default. */
  readonly timeoutMs?: number
}

/** Runs a program to its end. It never rejects for a bad exit code: that is for the test to judge. */
export function run(argv: readonly string[], options: RunOptions): Promise<Finished> {
  const child = start(argv, options)
  const pieces = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (pieces.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (pieces.stderr += chunk.toString()))
  child.stdin.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 60_000)
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code: code ?? String(signal), ...pieces, output: pieces.stdout + pieces.stderr })
    })
  })
}

/** A server that has said where it listens. */
export interface Server {
  /** Its first JSON line with the member `msg: "listening"`. */
  readonly listening: Readonly<Record<string, unknown>>
  /** All that it has printed so far. */
  log(): string
  /** Sends SIGTERM and waits for the end; rejects, after killing it, where that takes over ten seconds. */
  stop(): Promise<void>
}

/** Starts a server and waits for the JSON line in which it says that it listens, on either output. */
export async function startServer(argv: readonly string[], options: RunOptions): Promise<Server> {
  const child = start(argv, options)
  const lines: string[] = []
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const listening = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const fail = (why: string): void =>
      reject(new Error(`${argv.join(' ')} ${why}:\n${lines.join('\n')}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('did not listen in time')
    }, options.timeoutMs ?? 20_000)
    const hear = (line: string): void => {
      lines.push(line)
      const said = parseListening(line)
      if (said === undefined) return
      clearTimeout(timer)
      resolve(said)
    }
    createInterface({ input: child.stdout }).on('line', hear)
    createInterface({ input: child.stderr }).on('line', hear)
    child.once('error', (error) => fail(error.message))
    child.once('close', (code) => {
      clearTimeout(timer)
      fail(`ended with ${code}`)
    })
  })
  return {
    listening,
    log: () => lines.join('\n'),
    stop: () => stopChild(child, ended),
  }
}

async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  let killed = false
  const timer = setTimeout(() => (killed = child.kill('SIGKILL')), STOP_MS)
  child.kill('SIGTERM')
  await ended
  clearTimeout(timer)
  if (killed) throw new Error(`${child.spawnargs.join(' ')} did not end within ${STOP_MS} ms`)
}

function start(argv: readonly string[], options: RunOptions): ChildProcessWithoutNullStreams {
  const [program, ...args] = argv
  if (program === undefined) throw new TypeError('no program was named')
  return spawn(program, args, {
    env: { ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
}

function parseListening(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const said = JSON.parse(line) as Record<string, unknown>
    return said['msg'] === 'listening' ? said : undefined
  } catch {
    return undefined
  }
}
