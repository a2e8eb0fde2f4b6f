import type { Ledger } from '../adapters/ledger/port.ts'
import type { Cursors } from '../catalog/index.ts'
import { runBatch } from './batch/door.ts'
import type { Directory } from './directory.ts'
import type { DoorAround, HolderDoor } from './holder-door.ts'
import type { Exchange, Knock, Reply } from './knock.ts'
import { answerContract, answerFind, answerTools } from './reading/doors.ts'
import { Refusal } from './refusal.ts'
import { answerRpc } from './rpc/door.ts'
import { doorPath, type DoorName } from './run/address.ts'
import { runOne } from './run/door.ts'
import { callableRows, readStanding, type StandingPorts } from './standing.ts'

/** What the holder's doors need from outside. */
export interface HolderDoorPorts extends StandingPorts {
  readonly directory: Directory
  readonly cursors: Cursors
  readonly ledger: Pick<Ledger, 'head'>
}

const DOORS: Readonly<Record<DoorName, HolderDoor>> = {
  run: runOne,
  rpc: answerRpc,
  batch: runBatch,
  tools: answerTools,
  find: answerFind,
  contracts: answerContract,
}

/**
 * The exchange behind the doors under `/g/`: the calls that they are asked for go the way of every call. All other knocks pass as
 * they are.
 */
export function createHolderDoors(exchange: Exchange, ports: HolderDoorPorts): Exchange {
  return async (knock) => {
    if (knock.shape !== 'run') return exchange(knock)
    // Nothing is read for a token that is not one of this gateway's: the exchange says what is wrong with it.
    if (knock.fault !== undefined || !isOurs(knock, ports))
      return exchange({ ...knock, body: null })
    const finish = knock.inPath === true ? unseen : (reply: Reply) => reply
    try {
      const { name } = doorPath(knock.path)
      return finish(await DOORS[name](knock, aroundOf(exchange, ports)))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return finish(await exchange({ ...knock, body: null, refused: error }))
    }
  }
}

function aroundOf(exchange: Exchange, ports: HolderDoorPorts): DoorAround {
  const { config, router } = ports.snapshot()
  const { directory, cursors } = ports
  return {
    config,
    router,
    headers: config.headers,
    limits: config.limits,
    exchange,
    directory,
    cursors,
    tool: directory.tool,
    head: () => ports.ledger.head(),
    standing: (knock) => readStanding(knock, ports),
    callable: (standing, way) => callableRows(standing, directory.tools(), way),
  }
}

function isOurs({ credential }: Knock, { verifier }: HolderDoorPorts): boolean {
  if (credential === undefined) return false
  try {
    verifier.verify(credential)
    return true
  } catch {
    return false
  }
}

/** The token is in the address: the answer is kept nowhere, and the address is told to nobody. */
function unseen(reply: Reply): Reply {
  const held = ['cache-control', 'referrer-policy']
  const headers = reply.headers.filter(
    (_, at) => !held.includes((reply.headers[at - (at % 2)] as string).toLowerCase()),
  )
  return {
    ...reply,
    headers: [...headers, 'cache-control', 'no-store', 'referrer-policy', 'no-referrer'],
  }
}
