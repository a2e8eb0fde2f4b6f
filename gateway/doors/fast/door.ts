import type { Socket } from 'node:net'
import { FastConnection } from './connection.ts'
import type { FastParts } from './connection.ts'

/** The fast engine of one listener or of the insides of its tunnels. */
export interface FastDoor {
  /** Serves a connection from its next byte on. */
  accept(socket: Socket): void
  close(): void
}

const SWEEP_MS = 1_000

/**
 * Makes the door. A connection that has sent nothing for a while goes to the general engine, which knows how to
 * wait: so that there is one timer for all of them here, and none for each.
 */
export function createFastDoor(parts: FastParts): FastDoor {
  let fresh = new Set<FastConnection>()
  let older = new Set<FastConnection>()
  const sweep = setInterval(() => {
    for (const connection of older) if (!connection.served) connection.handOver()
    older = fresh
    fresh = new Set()
  }, SWEEP_MS)
  sweep.unref()
  return {
    accept(socket) {
      const connection = new FastConnection(socket, parts)
      fresh.add(connection)
      socket.once('close', () => {
        fresh.delete(connection)
        older.delete(connection)
      })
    },
    close: () => clearInterval(sweep),
  }
}
