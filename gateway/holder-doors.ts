import type { Ledger, LedgerIndex } from '../adapters/ledger/port.ts'
import type { Cursors } from '../catalog/index.ts'
import { answerArticle } from './articles/door.ts'
import { runBatch } from './batch/door.ts'
import { isPreflight, preflightFields, sharedReply } from './cors.ts'
import type { Directory } from './directory.ts'
import { answerGraphql } from './graphql/door.ts'
import type { DoorAround, HolderDoor } from './holder-door.ts'
import type { Exchange, Knock, Reply } from './knock.ts'
import { refusalOfMcp } from './mcp/messages.ts'
import { answerContract, answerFind, answerTools } from './reading/doors.ts'
import type { OpenExchanges } from './open.ts'
import { Refusal, refusal } from './refusal.ts'
import { answerRpc } from './rpc/door.ts'
import { doorPath, type DoorName } from './run/address.ts'
import { runOne } from './run/door.ts'
import { takeHook } from './run/hook.ts'
import { openSocket } from './socket/door.ts'
import { answerEvents } from './sse/door.ts'
import { callableRows, readStanding, type StandingPorts } from './standing.ts'

/** What the holder's doors need from outside. */
export interface HolderDoorPorts extends StandingPorts {
  readonly directory: Directory
  readonly cursors: Cursors
  readonly ledger: Pick<Ledger, 'head'>
  readonly index: Pick<LedgerIndex, 'view' | 'lag' | 'sync'>
  readonly open: Pick<OpenExchanges, 'add'>
  /** The one door that keeps something between two requests. */
  readonly mcp: HolderDoor
  readonly articles: DoorAround['articles']
  readonly persons: DoorAround['persons']
}

const DOORS: Readonly<Record<Exclude<DoorName, 'mcp'>, HolderDoor>> = {
  run: runOne,
  rpc: answerRpc,
  graphql: answerGraphql,
  ws: openSocket,
  sse: answerEvents,
  hook: takeHook,
  batch: runBatch,
  tools: answerTools,
  find: answerFind,
  contracts: answerContract,
  a: answerArticle,
}

/**
 * The exchange behind the doors under `/g/`: the calls that they are asked for go the way of every call. All other knocks pass as
 * they are.
 */
export function createHolderDoors(exchange: Exchange, ports: HolderDoorPorts): Exchange {
  const doors = { ...DOORS, mcp: ports.mcp }
  const answer: Exchange = async (knock) => {
    const { name } = doorPath(knock.path)
    const refuse = async (refused?: Refusal) => {
      const reply = await exchange({ ...knock, body: null, refused })
      return name === 'mcp' ? refusalOfMcp(reply) : reply
    }
    // Nothing is read for a token that is not one of this gateway's: the exchange says what is wrong with it.
    if (knock.fault !== undefined || !isOurs(knock, ports)) return refuse()
    const finish = knock.inPath === true ? unseen : (reply: Reply) => reply
    try {
      if (knock.upgrade && name !== 'ws') throw noSocket()
      return finish(await doors[name](knock, aroundOf(exchange, ports)))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return finish(await refuse(error))
    }
  }
  return async (knock) => {
    if (knock.shape !== 'run') return exchange(knock)
    const { headers: names } = ports.snapshot().config
    if (knock.fault === undefined && isPreflight(knock.method, knock.headers))
      return { status: 204, headers: preflightFields(names), body: null }
    return sharedReply(await answer(knock), names)
  }
}

/** The token's own end is known from its lines. */
const NO_END = {}

function aroundOf(exchange: Exchange, ports: HolderDoorPorts): DoorAround {
  const { config, router } = ports.snapshot()
  const { directory, cursors, articles, persons, index } = ports
  return {
    config,
    router,
    headers: config.headers,
    limits: config.limits,
    exchange,
    directory,
    cursors,
    articles,
    persons,
    index,
    tool: directory.tool,
    head: () => ports.ledger.head(),
    standing: (knock) => readStanding(knock, ports),
    watch: ({ token, judged, person, sessionExpires }) =>
      ports.open.add({ token, judged, sessionExpires, call: { holder: person }, permit: NO_END }),
    callable: (standing, way) => callableRows(standing, directory.tools(), way),
  }
}

function noSocket(): Refusal {
  const repair = 'leave out Upgrade, or open a WebSocket at `/g/ws`'
  return refusal('malformed_request', 'upgrade', { got: 'a WebSocket at another door', repair })
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
