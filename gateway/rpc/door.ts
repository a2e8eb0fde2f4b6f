import { writtenJson } from '../../catalog/index.ts'
import type { BatchAnswer } from '../batch/answer.ts'
import { MOST_CALLS, type BatchCall } from '../batch/calls.ts'
import { makeCall, type CallPorts } from '../batch/make.ts'
import { runCalls } from '../batch/run.ts'
import type { HolderDoor } from '../holder-door.ts'
import type { Exchange, Knock, Reply } from '../knock.ts'
import { Refusal } from '../refusal.ts'
import { readJson } from '../run/body.ts'
import { methodNotTaken } from '../run/call.ts'
import { readRequest, type RpcRequest } from './requests.ts'
import { INVALID_REQUEST, outcomeOf, responseOf } from './responses.ts'

const PARSE_ERROR = { code: -32_700, message: 'Parse error' }

/** Answers JSON-RPC 2.0 over HTTP: a request object, or a list of them. The methods are the tools. */
export const answerRpc: HolderDoor = async (asked, ports) => {
  const { exchange } = ports
  if (asked.method !== 'POST') throw methodNotTaken(asked.method, 'POST')
  let body: unknown
  try {
    body = await readJson(asked, ports.limits)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'malformed_request') throw error
    return replyOf(responseOf(null, { error: { ...PARSE_ERROR, data: reasonsOf(error) } }))
  }
  if (!Array.isArray(body)) {
    const [response] = await respond([readRequest(body)], { asked, exchange, ports })
    return replyOf(response)
  }
  if (body.length === 0 || body.length > MOST_CALLS)
    return replyOf(responseOf(null, { error: INVALID_REQUEST }))
  const responses = await respond(body.map(readRequest), { asked, exchange, ports })
  return replyOf(responses.length === 0 ? undefined : responses)
}

interface Around {
  readonly asked: Knock
  readonly exchange: Exchange
  readonly ports: CallPorts
}

/** The responses, in the order of the requests; none for notifications. */
async function respond(
  requests: readonly RpcRequest[],
  { asked, exchange, ports }: Around,
): Promise<readonly object[]> {
  const calls = requests.flatMap(({ does }, at): readonly BatchCall[] =>
    does === 'invalid' ? [] : [{ at, key: `${at}`, needs: [], does }],
  )
  const answers = new Map<string, BatchAnswer>()
  const running = runCalls(calls, {
    make: (does) => makeCall(does, { asked, batch: undefined, exchange, ports }),
    gone: () => asked.signal.aborted,
    names: ports.headers,
  })
  for await (const answer of running) answers.set(answer.key, answer)
  return requests.flatMap(({ id }, at) => {
    const answer = answers.get(`${at}`)
    if (answer === undefined) return [responseOf(id ?? null, { error: INVALID_REQUEST })]
    return id === undefined ? [] : [responseOf(id, outcomeOf(answer))]
  })
}

function reasonsOf({ reasons }: Refusal): object {
  return { reasons }
}

/** Nothing is sent for notifications alone (RPC over HTTP answers 204 then). */
function replyOf(value: unknown): Reply {
  const headers = ['cache-control', 'no-store']
  if (value === undefined) return { status: 204, headers, body: null }
  return {
    status: 200,
    headers: ['content-type', 'application/json', ...headers],
    body: Buffer.from(`${writtenJson(value)}\n`),
  }
}
