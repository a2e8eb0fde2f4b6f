import { readFileSync } from 'node:fs'
import type { Log } from './ports.ts'

/** What the gateway itself keeps open, with room to spare: log, index, stores, listeners, threads. */
const OWN = 64
/** A client's connection and the one to its upstream. */
const PER_CONNECTION = 2

/**
 * How many client connections may be open at a time. Where descriptors run out nothing can be dialled or kept any
 * more, and the system says nothing of the connections that it turns away: so the listener does, before that.
 */
export function affordableConnections(wanted: number, log: Pick<Log, 'warn'>): number {
  const descriptors = descriptorLimit()
  if (descriptors === undefined) return wanted
  const most = Math.max(1, Math.floor((descriptors - OWN) / PER_CONNECTION))
  if (most >= wanted) return wanted
  log.warn(
    { descriptors, limit: 'max_connections', wanted, used: most },
    'fewer connections than configured, for want of file descriptors (ulimit -n)',
  )
  return most
}

/** Undefined where the system does not say. Node has raised the soft limit to the hard one when it started. */
function descriptorLimit(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const found = /^Max open files\s+(\d+)/m.exec(limits)
    return found === null ? undefined : Number(found[1])
  } catch {
    return undefined
  }
}
