import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { HOSTS, openStandIn, type StandIn } from './upstream.ts'

/** Ends a command that does not end by itself, once it has said something. */
export interface Ending {
  readonly signal: NodeJS.Signals
  readonly when: RegExp
}

export interface Ran {
  readonly exit: number | null
  /** Both outputs, in the order in which they came. */
  readonly output: string
}

/** A command that goes on. */
export interface Going {
  /** Resolves when it has said this. Rejects when it ends without. */
  says(pattern: RegExp): Promise<string>
  end(signal: NodeJS.Signals): Promise<Ran>
  readonly ended: Promise<Ran>
}

/** A home folder, a working folder and an internet of its own for the commands of the pages. */
export interface Lab {
  readonly home: string
  /** Where commands are typed; `narrowgate.yaml` lies there. */
  readonly work: string
  /** Stands for /etc and /var/lib. */
  readonly etc: string
  readonly internet: StandIn
  /** Holds no program but those that a bare machine has. */
  readonly bareBin: string
  start(line: string, options?: Typed): Going
  run(line: string, options?: Typed & { readonly ending?: Ending }): Promise<Ran>
}

export interface Typed {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The key that the gateway puts in: no output of any command may hold it. */
export const GITHUB_KEY = 'ghp-lab-0123456789abcdef'

/** Milliseconds for a command that is run to its end; one that was started goes on as long as the test. */
const LONGEST = 60_000

/** Opens the lab; everything in it ends with the test. */
export async function openLab(t: Test): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-docs-'))
  const at = (name: string): string => join(folder, name)
  for (const name of ['home', 'work', 'etc', 'npm/bin', 'bare'])
    mkdirSync(at(name), { recursive: true })
  const internet = await openStandIn(at('internet'))
  t.teardown(async () => {
    await internet.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  writeConfiguration([at('work'), at('etc')], internet)
  writeFiles(at('work'))
  linkPrograms(at('npm/bin'), at('bare'))
  const env = {
    PATH: `${at('npm/bin')}:${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: at('home'),
    // Where `npm link` puts the command, instead of the folders of the system.
    npm_config_prefix: at('npm'),
    npm_config_update_notifier: 'false',
  }
  const start: Lab['start'] = (line, options = {}) =>
    going(t, line, { cwd: options.cwd ?? at('work'), env: { ...env, ...options.env } })
  return {
    home: at('home'),
    work: at('work'),
    etc: at('etc'),
    internet,
    bareBin: at('bare'),
    start,
    async run(line, { ending, ...options } = {}) {
      const command = start(line, options)
      const timer = setTimeout(() => void command.end('SIGKILL'), LONGEST)
      void command.ended.then(() => clearTimeout(timer))
      if (ending === undefined) return command.ended
      await command.says(ending.when)
      return command.end(ending.signal)
    },
  }
}

/** Free ports, and the hosts of the pages at the stand-in; GitHub has a key, as in the README. */
function writeConfiguration(folders: readonly string[], { address, caFile }: StandIn): void {
  const key = { name: 'github-key', secret: { file: './github.key' }, header: 'authorization' }
  const upstreams = HOSTS.map((host) => ({
    name: host,
    hosts: [host],
    address,
    ca: [caFile],
    keys: host === 'api.github.com' ? [key] : [],
  }))
  const listen = { proxy: '127.0.0.1:0', owner: '127.0.0.1:0' }
  for (const folder of folders) {
    writeFileSync(
      join(folder, 'narrowgate.yaml'),
      JSON.stringify({ listen, upstreams, doors: { graphql: true } }),
    )
    writeFileSync(join(folder, 'github.key'), GITHUB_KEY, { mode: 0o600 })
  }
}

const FIXTURES = {
  receipts: [
    {
      id: '0199d2c4-5d2e-7c31-9d6b-1f4a2b3c4d5e',
      opened: '2026-01-01T00:00:00.000Z',
      door: 'proxy',
      grant: 'g_1',
      outcome: 'allowed',
      tool: 'HTTP_DELETE',
      envelope: { args: {} },
      upstream: { method: 'DELETE', url: 'https://api.github.com/zen' },
    },
  ],
  policy: { lines: ['tools = HTTP_GET'] },
  expect: [{ receipt: '0199d2c4-5d2e-7c31-9d6b-1f4a2b3c4d5e', is: 'tool_not_granted' }],
}

/** The files that the commands name: an agent, a package without dependencies, a receipt to be replayed. */
function writeFiles(work: string): void {
  const name = { name: 'agent', version: '1.0.0' }
  const lock = { ...name, lockfileVersion: 3, requires: true, packages: { '': name } }
  writeFileSync(join(work, 'package.json'), JSON.stringify(name))
  writeFileSync(join(work, 'package-lock.json'), JSON.stringify(lock))
  writeFileSync(join(work, 'fixtures.yaml'), JSON.stringify(FIXTURES))
  writeFileSync(
    join(work, 'agent.py'),
    `from urllib.request import urlopen\nprint(urlopen("https://api.github.com/zen").read().decode())\n`,
  )
}

/** `bin` goes before everything; `bare` stands for a machine without a known certificate store. */
function linkPrograms(bin: string, bare: string): void {
  // Version managers find theirs by the home folder, which is another one here.
  if (existsSync('/usr/bin/python3')) symlinkSync('/usr/bin/python3', join(bin, 'python3'))
  const say = (text: string) => `#!/bin/sh\n${text}\n`
  // It holds back what it has to say to a pipe until it ends, which `ledger tail` never does by itself.
  writeFileSync(join(bin, 'jq'), say('exec /usr/bin/jq --unbuffered "$@"'), { mode: 0o755 })
  writeFileSync(join(bare, 'certutil'), say('echo certutil "$@"'), { mode: 0o755 })
  for (const program of ['/bin/sh', '/bin/mkdir', process.execPath])
    symlinkSync(program, join(bare, program.split('/').at(-1) ?? ''))
  symlinkSync('../npm/bin/narrowgate', join(bare, 'narrowgate'))
}

/** Starts a line of shell in a process group of its own, so that nothing of it outlives the test. */
function going(t: Test, line: string, { cwd, env }: Required<Typed>): Going {
  // tap gives what a test spawns its own NODE_OPTIONS, with which tsc does not start.
  const child = spawn('/bin/sh', ['-c', `unset NODE_OPTIONS\n${line}`], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const group = -(child.pid ?? 0)
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const listener of listeners) listener()
    })
  const ended = new Promise<Ran>((resolve) => {
    const finish = (exit: number | null): void => resolve({ exit, output })
    child.once('close', finish).once('error', () => finish(127))
  })
  t.teardown(() => signalled(group, 'SIGKILL'))
  return {
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(output)
          if (found !== null) resolve(found[1] ?? found[0])
        }
        listeners.add(look)
        look()
        void ended.then(() => reject(new Error(`\`${line}\` ended without ${pattern}:\n${output}`)))
      }),
    end(signal) {
      signalled(group, signal)
      return ended
    },
  }
}

function signalled(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(group, signal)
  } catch {
    // It has ended by itself.
  }
}
