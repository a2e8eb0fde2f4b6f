import type { Socket } from 'node:net'
import type { Reply } from '../knock.ts'
import type { Limits } from '../limits.ts'
import { problemDocument, refusal } from '../refusal.ts'

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
export function tooManyTunnels({ maxTunnels }: Pick<Limits, 'maxTunnels'>): Reply {
  const refused = refusal('overloaded', 'gateway', {
    got: `more than ${maxTunnels} tunnels at one time`,
    repair: 'close idle tunnels, or try again; the operator sets limits.max_tunnels',
  })
  const { status, code } = refused
  const document = problemDocument(refused, { status, ran: false, receipt: undefined })
  return {
    status,
    headers: [
      'content-type',
      'application/problem+json',
      'refused',
      code,
      'retry-after',
      String(RETRY_SECONDS),
      'cache-control',
      'no-store',
    ],
    body: Buffer.from(`${JSON.stringify(document)}\n`),
    close: true,
  }
}
