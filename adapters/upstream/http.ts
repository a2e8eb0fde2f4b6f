import { setMaxListeners } from 'node:events'
import { Attempt } from './attempt.ts'
import type { AttemptNotes } from './attempt.ts'
import { createDialler } from './dial.ts'
import { Fault } from './fault.ts'
import { Pool } from './pool.ts'
import type { Upstream, UpstreamRequest } from './port.ts'
import { lookupBySystem } from './resolve.ts'
import type { Lookup } from './resolve.ts'
import { planRequest, planTunnel } from './route.ts'
import { assertPermitted } from './target.ts'

/** What is worth counting: connections made and used again, second tries, refused addresses. */
type UpstreamEvent = 'opened' | 'reused' | 'retried' | 'refused'

export interface UpstreamOptions {
  /** How names become addresses; the system's resolver by default. */
  readonly lookup?: Lookup
  /** The gateway's own listeners, `ip:port`, asked at each dial; they are refused as class `gateway`. */
  readonly ownAddresses?: () => readonly string[]
  readonly metrics?: { count(event: UpstreamEvent): void }
}

/** Safe methods (RFC 9110 9.2.1): to send one twice does no harm. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * The general engine for HTTP/1.1 upstreams, on node:http over connections that it dials and checks itself.
 * A tunnel's permit is for the target `CONNECT <scheme>://<host>:<port>`, with an empty path.
 */
export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const { lookup = lookupBySystem, ownAddresses = () => [], metrics } = options
  const closing = new AbortController()
  // Every dial under way listens.
  setMaxListeners(0, closing.signal)
  const dialler = createDialler({ lookup, ownAddresses }, closing.signal)
  const pool = new Pool(dialler, (event) => metrics?.count(event))

  return {
    async send(request, permit) {
      assertPermitted(permit, request)
      const plan = planRequest(request.origin, request.route, request.upgrade)
      const notes: AttemptNotes = { reused: false, bodyBegan: false, answerBegan: false }
      try {
        return await new Attempt({ request, plan, pool, notes }).run()
      } catch (error) {
        if (error instanceof Fault && error.code === 'address_refused') metrics?.count('refused')
        if (!mayRetry(error, notes, request)) throw error
        metrics?.count('retried')
        pool.dropIdle(plan)
        return await new Attempt({ request, plan, pool, notes }).run()
      }
    },

    async connect(origin, route, permit, { signal, timeout }) {
      assertPermitted(permit, { method: 'CONNECT', origin, path: '' })
      const dialled = await dialler.dial(planTunnel(origin, route), { signal, timeout })
      const hangUp = () => dialled.socket.destroy()
      signal.addEventListener('abort', hangUp, { once: true })
      dialled.socket.once('close', () => signal.removeEventListener('abort', hangUp))
      return dialled
    },

    async close() {
      closing.abort()
      pool.destroy()
    },
  }
}

/**
 * One retry, if it can not double a write: nothing was sent, or a safe method met an idle connection that the
 * upstream had just closed. A body that began is gone.
 */
function mayRetry(error: unknown, notes: AttemptNotes, request: UpstreamRequest): error is Fault {
  if (!(error instanceof Fault) || !error.transient) return false
  if (request.signal.aborted || notes.bodyBegan || notes.answerBegan) return false
  return error.sent === 'no' || (notes.reused && SAFE.has(request.method))
}
