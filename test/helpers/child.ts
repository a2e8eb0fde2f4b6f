import { readFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { FROM_SOURCE } from './from-source.ts'
import { ENV, eventually, minter, portOf, prepare, read } from './gateway.ts'
import type { Place, Setup } from './gateway.ts'
import type { Reach } from './shapes.ts'
import type { Upstreams } from './upstream.ts'

/** The gateway as its own process, started by its command line. */
export interface ChildGateway extends Reach {
  readonly state: string
  readonly folder: string
  readonly configFile: string
  readonly upstreams: Upstreams
  readonly process: ChildProcess
  readonly ownerPort: number
  mint(...lines: readonly string[]): string
  metrics(): Promise<string>
  /** Everything that it has printed so far, on either output. */
  printed(): string
  /** Sends SIGTERM and waits; resolves with the exit code. */
  stop(): Promise<number | null>
}

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Put before the command line, such as a program that limits what it may use. */
  readonly wrap?: (argv: readonly string[], state: string) => readonly string[]
}

const PROGRAM = new URL('../../cli/main.ts', import.meta.url).pathname

/** Starts `narrowgate serve` from source and waits until it listens; it ends with the test. */
export async function startChild(
  t: Test,
  setup: Setup,
  options: ChildOptions = {},
): Promise<ChildGateway> {
  const config = { log: { level: 'trace' }, ...setup.config }
  return startAt(t, await prepare(t, { ...setup, config }), options)
}

/** Starts it at a place that there is already, such as one where it was killed. */
export async function startAt(
  t: Test,
  place: Place,
  { env = {}, wrap = (argv) => argv }: ChildOptions = {},
): Promise<ChildGateway> {
  const { folder, state, configFile } = place
  const serve = ['serve', '--config', configFile, '--state', state]
  const [command = '', ...args] = wrap([process.execPath, FROM_SOURCE, PROGRAM, ...serve], state)
  const { PATH = '' } = process.env
  const child = spawn(command, args, { cwd: folder, env: { PATH, HOME: folder, ...ENV, ...env } })
  const lines: string[] = []
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on('line', (line) => lines.push(line))
  t.teardown(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  })
  const listening = () => lines.find((line) => line.includes('"msg":"listening"'))
  const over = () => child.exitCode !== null
  await eventually(() => listening() !== undefined || over(), 60_000)
  const line = listening()
  if (line === undefined) throw new Error(`the gateway did not start:\n${lines.join('\n')}`)
  const { proxy, owner } = JSON.parse(line) as { proxy: string; owner: string }
  const ownerPort = portOf(owner)
  return {
    ...place,
    process: child,
    ownerPort,
    proxyPort: portOf(proxy),
    caPem: readFileSync(`${state}/ca/ca.pem`, 'utf8'),
    // Not before it is asked for: the configuration may name another key.
    mint: (...lines) => minter(state)(...lines),
    metrics: () => read(ownerPort, '/metrics'),
    printed: () => lines.join('\n'),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = (await ended) as [number | null]
      return code
    },
  }
}
