import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListenAddress } from '../../gateway/config/index.ts'
import type { Offline } from '../../gateway/offline.ts'
import { createDecider } from '../../policy/index.ts'
import { runningGateway } from '../../sidecar/join.ts'
import { failed, ok, unproven, why, type Finding } from './finding.ts'

const MOST_DRIFT_MS = 2000

/** The clock against what a file that is written now gets as its time, and against the past that is known. */
export async function checkClock(place: Offline): Promise<readonly Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'narrowgate-clock-'))
  try {
    const file = join(folder, 'now')
    await writeFile(file, '')
    const written = (await stat(file)).mtimeMs
    const past = await stat(place.caFile).catch(() => undefined)
    const now = Date.now()
    const repair = 'set the clock (timedatectl set-ntp true): tokens expire by it'
    if (Math.abs(now - written) > MOST_DRIFT_MS) {
      return [
        failed(
          'clock',
          `${Math.round(Math.abs(now - written) / 1000)} s away from the file system’s`,
          repair,
        ),
      ]
    }
    if (past !== undefined && past.mtimeMs > now + MOST_DRIFT_MS) {
      return [
        failed('clock', `earlier than the state’s CA, made ${past.mtime.toISOString()}`, repair),
      ]
    }
    return [ok('clock', new Date(now).toISOString())]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Modes and owners of the state folder and of what is secret in it. */
export async function checkState(place: Offline): Promise<readonly Finding[]> {
  const problems = await place.judgeAccess()
  if (problems === undefined) {
    return [
      unproven('state', `none at ${place.folder}`, 'start narrowgate serve once: it makes it'),
    ]
  }
  if (problems.length === 0) return [ok('state', `${place.folder}, its owner’s alone`)]
  return problems.map(({ path, got, repair }) => failed('state', `${path}: ${got}`, repair))
}

function canListen(address: Extract<ListenAddress, { kind: 'tcp' }>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port: address.port, host: address.host }, () => {
      server.close(() => resolve(undefined))
    })
  })
}

async function checkPort(
  name: string,
  address: ListenAddress,
  taken: string | undefined,
): Promise<Finding> {
  if (taken !== undefined) return ok(name, `${taken}, where the gateway of this state listens`)
  if (address.kind === 'unix') return ok(name, `unix socket ${address.path}`)
  const shown = `${address.host ?? ''}:${address.port}`
  const refusal = await canListen(address)
  return refusal === undefined
    ? ok(name, `${shown} is free`)
    : failed(
        name,
        `${shown}: ${refusal}`,
        'end what listens there, or set listen in narrowgate.yaml',
      )
}

/** Whether the configured ports are free, unless the gateway of this state runs. */
export async function checkPorts(place: Offline): Promise<readonly Finding[]> {
  const { proxy, owner } = place.config.listen
  const running = await runningGateway(place)
  return [
    await checkPort('proxy port', proxy, running?.proxy),
    await checkPort('owner port', owner, running?.owner),
  ]
}

/** The policy engine decides known cases as they must be decided. */
export async function checkCedar(): Promise<readonly Finding[]> {
  try {
    createDecider({}).selfTest()
    return [ok('cedar', 'the self-test decided as it must')]
  } catch (error) {
    return [
      failed('cedar', why(error), 'install narrowgate anew: its policy engine is not sound here'),
    ]
  }
}
