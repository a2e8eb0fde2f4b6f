import { spawn, execFileSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Test } from 'tap'
import { findPrograms, userOf } from '../../bench/postgres-programs.ts'
import { eventually } from './eventually.ts'

/** A PostgreSQL server of the test's own, on a unix socket in a temporary folder. */
export interface Cluster {
  /** Makes an empty database; resolves with its address as the configuration takes it. */
  createDatabase(): Promise<string>
  /** Runs statements as the server's owner, in the database of this address. */
  run(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  stop(): Promise<void>
  start(): Promise<void>
  /** Freezes the server and all its children, or lets them go on: it takes bytes and answers none. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
}

const FLAGS = ['fsync=off', 'max_connections=60', 'timezone=UTC']

/** What a server needs that is spoken to over TCP, under TLS. */
export interface ServerTls {
  readonly port: number
  readonly key: string
  readonly cert: string
}

/** Starts a server that ends with the test, or skips the test, and says so, where there is none to be had. */
export async function startCluster(t: Test, tls?: ServerTls): Promise<Cluster | undefined> {
  const programs = findPrograms()
  const user = userOf()
  if (programs === undefined || user === undefined) {
    const why = programs === undefined ? 'no PostgreSQL server' : 'no user to run PostgreSQL as'
    console.error(`SKIP ${t.name}: ${why} here; scripts/setup-tests.sh installs one`)
    t.plan(0, why)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'ng-pg-'))
  if (user.uid !== process.getuid?.()) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const as = { uid: user.uid, gid: user.gid, cwd: folder }
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']
  execFileSync(join(programs, 'initdb'), args, { ...as, stdio: 'ignore' })
  const urlOf = (database: string) => `postgres:///${database}?host=${folder}&user=postgres`
  let server: ChildProcess | undefined
  const start = async () => {
    const flags = [
      ...FLAGS,
      `unix_socket_directories=${folder}`,
      ...networkOf(folder, tls),
    ].flatMap((flag) => ['-c', flag])
    server = spawn(join(programs, 'postgres'), ['-D', data, ...flags], { ...as, stdio: 'ignore' })
    const up = () =>
      runIn(folder, 'postgres', 'SELECT 1').then(
        () => true,
        () => false,
      )
    if (!(await eventually(up, 20_000))) throw new Error('PostgreSQL did not start')
  }
  const stop = async () => {
    if (server === undefined || server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGQUIT')
    await ended
  }
  t.teardown(async () => {
    signalAll(server, 'SIGCONT')
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  let count = 0
  return {
    async createDatabase() {
      const name = `db${(count += 1)}`
      await runIn(folder, 'postgres', `CREATE DATABASE ${name}`)
      return urlOf(name)
    },
    run: (url, text) => runIn(folder, new URL(url).pathname.slice(1), text),
    stop,
    start,
    signal: (signal) => signalAll(server, signal),
  }
}

async function runIn(folder: string, database: string, text: string) {
  const name = readdirSync(folder).find((each) => /^\.s\.PGSQL\.\d+$/.test(each))
  const path = join(folder, name ?? '.s.PGSQL.5432')
  const sql = postgres({ path, database, user: 'postgres', max: 1, onnotice: () => {} })
  try {
    return await sql.unsafe(text)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function networkOf(folder: string, tls: ServerTls | undefined): readonly string[] {
  if (tls === undefined) return ['listen_addresses=']
  const files = { 'server.key': tls.key, 'server.crt': tls.cert }
  const { uid, gid } = statSync(folder)
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    chownSync(file, uid, gid)
  }
  const paths = [`ssl_key_file=${folder}/server.key`, `ssl_cert_file=${folder}/server.crt`]
  return ['listen_addresses=127.0.0.1', `port=${tls.port}`, 'ssl=on', ...paths]
}

function signalAll(server: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (server?.pid === undefined || server.exitCode !== null) return
  for (const pid of [server.pid, ...childrenOf(server.pid)]) {
    try {
      process.kill(pid, signal)
    } catch {
      // It went between the listing and the signal.
    }
  }
}

function childrenOf(pid: number): readonly number[] {
  const text = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number(line)]))
}
