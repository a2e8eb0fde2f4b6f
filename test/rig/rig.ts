import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FROM_SOURCE } from '../helpers/from-source.ts'
import { KEY, startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { createNetwork } from './netns.ts'
import type { Network } from './netns.ts'
import { startServer } from './processes.ts'
import { readJournal } from './upstreams/journal.ts'
import type { Arrival } from './upstreams/journal.ts'

/** A network of three namespaces with upstreams at its far end and a gateway in the middle. */
export interface Rig {
  readonly network: Network
  readonly gateway: Gateway
  /** A folder that goes with the rig. */
  readonly folder: string
  /** What reached the upstreams, oldest first. */
  arrivals(): readonly Arrival[]
  close(): Promise<void>
}

const UPSTREAMS = join(import.meta.dirname, 'upstreams/main.ts')

/** Starts a whole rig. It takes one to two seconds; `close` takes all of it away. */
export async function createRig(): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-rig-'))
  const network = createNetwork()
  const removeAll = (): void => {
    network.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const argv = [process.execPath, FROM_SOURCE, UPSTREAMS, folder, network.upstreamHost]
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, RIG_KEY: KEY }
    const upstreams = await startServer(network.inside('upstream', argv), { env })
    const gateway = await startGateway(network, folder, join(folder, 'ca.pem'))
    return {
      network,
      gateway,
      folder,
      arrivals: () => readJournal(join(folder, 'journal.ndjson')),
      async close() {
        try {
          await gateway.stop()
          await upstreams.stop()
        } finally {
          removeAll()
        }
      },
    }
  } catch (error) {
    removeAll()
    throw error
  }
}
