import type { Envelope } from '../../catalog/index.ts'
import { createPresence } from '../doors/presence.ts'
import type { Exchange, Knock, Reply } from '../knock.ts'
import { Refusal } from '../refusal.ts'
import { collectionNotServed, toolOf, type RunPorts } from '../run/call.ts'
import { knockOfCall, knockOfRequest, refusedOr, type WritingPorts } from '../run/knock.ts'
import type { Doing } from './calls.ts'

/** What the calls of one request are written with. */
export type CallPorts = WritingPorts & RunPorts

/** The request that asks for several calls, and the exchange that each of them goes through. */
export interface Asking {
  readonly asked: Knock
  /** Undefined where they have no id in common. */
  readonly batch: string | undefined
  readonly exchange: Exchange
  readonly ports: CallPorts
  /** What is done to a collection of the gateway; undefined at doors that call rows alone. */
  readonly collection?: (knock: Knock, envelope: Envelope) => Promise<Reply>
}

/** Makes one of the calls of a request. It is a knock of its own: it can be cut without the others, and ends with its client. */
export async function makeCall(
  does: Doing,
  { asked, batch, exchange, ports, collection }: Asking,
): Promise<Reply> {
  const presence = createPresence()
  asked.signal.addEventListener('abort', () => presence.cancel())
  if (asked.signal.aborted) presence.cancel()
  const own: Knock = {
    ...asked,
    batch,
    body: null,
    signal: presence.signal,
    cancel: () => presence.cancel(),
    proceed: () => {},
    inform: () => {},
  }
  if (does.kind !== 'tool' || does.envelope.op === 'call' || collection === undefined)
    return exchange(refusedOr(own, () => knockOf(own, does, ports)))
  try {
    return await collection(own, does.envelope)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return exchange({ ...own, refused: error })
  }
}

function knockOf(own: Knock, does: Doing, ports: CallPorts): Knock {
  if (does.kind === 'broken') throw does.refused
  if (does.kind === 'http') {
    const { form, within } = does
    return { ...knockOfRequest(own, form, ports), within }
  }
  const { envelope } = does
  if (envelope.op !== 'call') throw collectionNotServed(envelope)
  return knockOfCall(own, { envelope, tool: toolOf(envelope.target, ports) }, ports)
}
