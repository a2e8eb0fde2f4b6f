import type { Socket } from 'node:net'
import type { Reply } from '../knock.ts'
import type { Limits } from '../limits.ts'
import { problemDocument, refusal, refusalFields } from '../refusal.ts'

/** The tunnels of one listener: how many there are, and that there are not too many. */
export interface Tunnels {
  /** Takes a place until the socket closes; false where none is free. */
  open(socket: Socket): boolean
}

interface TunnelsOptions {
  readonly limits: Pick<Limits, 'maxTunnels'>
  readonly metrics?: {
    tunnelOpened(): void
    tunnelClosed(): void
    shed(what: 'tunnel'): void
  }
}

export function createTunnels({ limits, metrics }: TunnelsOptions): Tunnels {
  let open = 0
  return {
    open(socket) {
      if (open >= limits.maxTunnels) {
        metrics?.shed('tunnel')
        return false
      }
      open++
      metrics?.tunnelOpened()
      socket.once('close', () => {
        open--
        metrics?.tunnelClosed()
      })
      return true
    },
  }
}

const RETRY_SECONDS = 1

/** Said in place of a tunnel. It reaches no exchange: what is too much must cost little, so a counter tells of it. */
export function tooManyTunnels({
  limits,
  refusedHeader,
}: Pick<TunnelsOptions, 'limits'> & { readonly refusedHeader: () => string }): Reply {
  const refused = refusal('overloaded', 'gateway', {
    got: `more than ${limits.maxTunnels} tunnels at one time`,
    repair: 'close idle tunnels, or try again; the operator sets limits.max_tunnels',
    retryAfter: RETRY_SECONDS,
  })
  const { status } = refused
  const document = problemDocument(refused, { status, ran: false, receipt: undefined })
  return {
    status,
    headers: [
      'content-type',
      'application/problem+json',
      ...refusalFields(refused, refusedHeader()),
    ],
    body: Buffer.from(`${JSON.stringify(document)}\n`),
    close: true,
  }
}
