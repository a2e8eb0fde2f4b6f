import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { findPrograms, userOf } from '../postgres-programs.ts'

/** A PostgreSQL server of the bench's own, as it comes: it syncs, and answers a commit when that is durable. */
export interface Server {
  /** Makes an empty database; resolves with its address. */
  createDatabase(): Promise<string>
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops it and takes its folder away. */
  remove(): Promise<void>
}

const START_MS = 30_000

/** Starts a server on a unix socket in a folder of its own; gives the reason where there is none to be had. */
export async function startServer(): Promise<Server | string> {
  const programs = findPrograms()
  if (programs === undefined) return 'no PostgreSQL server here'
  const user = userOf()
  if (user === undefined) return 'no user to run PostgreSQL as'
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-bench-pg-'))
  chownSync(folder, user.uid, user.gid)
  const as = { ...user, cwd: folder, stdio: 'ignore' } as const
  const data = join(folder, 'data')
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C']
  execFileSync(join(programs, 'initdb'), args, as)
  const flags = ['listen_addresses=', 'timezone=UTC', `unix_socket_directories=${folder}`]
  const command = ['-D', data, ...flags.flatMap((flag) => ['-c', flag])]
  let server: ChildProcess | undefined
  let count = 0
  const started: Server = {
    async createDatabase() {
      const name = `bench${(count += 1)}`
      await run(folder, `CREATE DATABASE ${name}`)
      return `postgres:///${name}?host=${folder}&user=postgres`
    },
    async start() {
      server = spawn(join(programs, 'postgres'), command, as)
      for (const end = performance.now() + START_MS; performance.now() < end; await sleep(50))
        if (await isUp(folder)) return
      throw new Error(`PostgreSQL did not start within ${START_MS} ms`)
    },
    async stop() {
      if (server === undefined || server.exitCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
    },
    async remove() {
      await started.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await started.start()
  } catch (error) {
    await started.remove()
    throw error
  }
  return started
}

function isUp(folder: string): Promise<boolean> {
  return run(folder, 'SELECT 1').then(
    () => true,
    () => false,
  )
}

async function run(folder: string, text: string): Promise<void> {
  const client = postgres({
    path: join(folder, '.s.PGSQL.5432'),
    database: 'postgres',
    user: 'postgres',
    max: 1,
    onnotice: () => {},
  })
  try {
    await client.unsafe(text)
  } finally {
    await client.end({ timeout: 1 })
  }
}
