import { createPresence } from '../doors/presence.ts'
import type { Exchange, Knock, Reply } from '../knock.ts'
import { collectionNotServed, toolOf, type RunPorts } from '../run/call.ts'
import { knockOfCall, knockOfRequest, refusedOr, type WritingPorts } from '../run/knock.ts'
import type { BatchCall } from './calls.ts'

/** What the calls of one request are written with. */
export type CallPorts = WritingPorts & RunPorts

/** The request that asks for several calls, and the exchange that each of them goes through. */
export interface Asking {
  readonly asked: Knock
  /** Undefined where they have no id in common. */
  readonly batch: string | undefined
  readonly exchange: Exchange
  readonly ports: CallPorts
}

/** Makes one of the calls of a request. It is a knock of its own: it can be cut without the others, and ends with its client. */
export function makeCall(
  does: BatchCall['does'],
  { asked, batch, exchange, ports }: Asking,
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
  return exchange(refusedOr(own, () => knockOf(own, does, ports)))
}

function knockOf(own: Knock, does: BatchCall['does'], ports: CallPorts): Knock {
  if (does.kind === 'broken') throw does.refused
  if (does.kind === 'http') return knockOfRequest(own, does.form, ports)
  const { envelope } = does
  if (envelope.op !== 'call') throw collectionNotServed(envelope)
  return knockOfCall(own, { envelope, tool: toolOf(envelope.target, ports) }, ports)
}
