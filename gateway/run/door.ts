import type { Envelope, Tool } from '../../catalog/index.ts'
import type { Exchange, Knock, Reply } from '../knock.ts'
import type { JudgingPorts } from '../ports.ts'
import { Refusal } from '../refusal.ts'
import { runBatch } from '../batch/door.ts'
import { answerRpc } from '../rpc/door.ts'
import { pathOf, RPC_PATH } from './address.ts'
import { methodNotTaken, readCall, type RunPorts } from './call.ts'
import { knockOfCall } from './knock.ts'

/** What the doors that run tools need. */
export interface RunDoorPorts extends Pick<JudgingPorts, 'verifier' | 'snapshot'> {
  readonly tool: RunPorts['tool']
}

/** Methods that change nothing (RFC 9110, 9.2.1): a link that is only opened may run no others. */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * The exchange behind the doors that take a tool and its arguments, one or many: such a knock becomes that of the call itself, and
 * goes the way of every call. All other knocks pass as they are.
 */
export function createRunDoor(exchange: Exchange, ports: RunDoorPorts): Exchange {
  return async (knock) => {
    if (knock.shape !== 'run') return exchange(knock)
    // Nothing is read for a token that is not one of this gateway's: the exchange says what is wrong with it.
    if (knock.fault !== undefined || !isOurs(knock, ports))
      return exchange({ ...knock, body: null })
    const finish = knock.door === 'link' ? unseen : (reply: Reply) => reply
    const { config, router } = ports.snapshot()
    const around = { tool: ports.tool, limits: config.limits, router, headers: config.headers }
    try {
      if (knock.door === 'batch') return await runBatch(knock, exchange, around)
      if (pathOf(knock.path) === RPC_PATH) return await answerRpc(knock, exchange, around)
      const call = await readCall(knock, around)
      checkMeant(knock, call)
      return finish(await exchange(knockOfCall(knock, call, around)))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return finish(await exchange({ ...knock, body: null, refused: error }))
    }
  }
}

function isOurs({ credential }: Knock, { verifier }: RunDoorPorts): boolean {
  if (credential === undefined) return false
  try {
    verifier.verify(credential)
    return true
  } catch {
    return false
  }
}

/** Browsers and mail programs open links by themselves: what changes something is posted. */
function checkMeant(
  { door, method }: Knock,
  { tool }: { readonly envelope: Envelope; readonly tool: Tool },
): void {
  if (door !== 'link') return
  const methods = SAFE.includes(tool.method) ? ['GET', 'HEAD', 'POST'] : ['POST']
  if (!methods.includes(method)) throw methodNotTaken(method, methods.join(', '))
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
