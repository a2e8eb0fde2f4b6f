import { setMaxListeners } from 'node:events'
import { Attempt } from './attempt.ts'
import type { AttemptNotes } from './attempt.ts'
import { createDialler } from './dial.ts'
import { FastAttempt, isPlain } from './fast/attempt.ts'
import { Links } from './fast/links.ts'
import { Fault } from './fault.ts'
import { Http2Engine } from './h2/engine.ts'
import type { Call } from './h2/engine.ts'
import { Spares } from './h2/spares.ts'
import { rememberNames } from './names.ts'
import type { Lookup } from './names.ts'
import { Pool } from './pool.ts'
import type { Answer, Upstream, UpstreamRequest } from './port.ts'
import { lookupBySystem } from './resolve.ts'
import { planRequest, planTunnel } from './route.ts'
import { assertPermitted } from './target.ts'

/** What is worth counting: connections made and used again, second tries, refused addresses. */
type UpstreamEvent = 'opened' | 'reused' | 'retried' | 'refused'

export interface UpstreamOptions {
  /** Who sends plain requests: the fast engine (the default), or the general one alone. */
  readonly engine?: 'fast' | 'general'
  /** How names become addresses; the system's resolver by default. */
  readonly lookup?: Lookup
  /** For how long a name's addresses are used again, in milliseconds; by default each dial looks its name up. */
  readonly dnsMs?: number
  /** The gateway's own listeners, `ip:port`, asked at each dial; they are refused as class `gateway`. */
  readonly ownAddresses?: () => readonly string[]
  readonly metrics?: { count(event: UpstreamEvent): void }
}

/** Safe methods (RFC 9110 9.2.1): to send one twice does no harm. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * Upstreams, over connections that are dialled and checked here. Three engines share them: for HTTP/1.1 the fast one for
 * plain requests and the general one on node:http for the rest (upgrades, bodies in chunks, expectations), and one for
 * HTTP/2.
 * A tunnel's permit is for the target `CONNECT <scheme>://<host>:<port>`, with an empty path.
 */
export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const { engine = 'fast', ownAddresses = () => [], metrics } = options
  const closing = new AbortController()
  // Every dial under way listens.
  setMaxListeners(0, closing.signal)
  const names = rememberNames(options.lookup ?? lookupBySystem, options.dnsMs ?? 0)
  const dialler = createDialler({ names, ownAddresses }, closing.signal)
  const count = (event: UpstreamEvent) => metrics?.count(event)
  const spares = new Spares(dialler)
  const pool = new Pool(spares, count)
  const links = new Links(spares, count)
  const http2 = new Http2Engine({ dialler, spares, count })

  const attemptHttp1 = ({ request, plan, notes }: Call): Promise<Answer> =>
    engine === 'fast' && isPlain(request)
      ? new FastAttempt({ request, plan, links, notes }).run()
      : new Attempt({ request, plan, pool, notes }).run()

  const attempt = async (call: Call): Promise<Answer> => {
    const answer = http2.takes(call.request, call.plan) ? await http2.send(call) : undefined
    if (answer !== undefined) return answer
    try {
      return await attemptHttp1(call)
    } catch (error) {
      const over2 = http2.isHttp2Only(error, call) ? await http2.send(call) : undefined
      if (over2 === undefined) throw error
      return over2
    }
  }

  const exchange = async (request: UpstreamRequest) => {
    const plan = planRequest(request.origin, request.route, request.upgrade)
    const notes: AttemptNotes = { reused: false, bodyBegan: false, answerBegan: false }
    try {
      return await attempt({ request, plan, notes })
    } catch (error) {
      if (error instanceof Fault && error.code === 'address_refused') metrics?.count('refused')
      if (!mayRetry(error, notes, request)) throw error
      metrics?.count('retried')
      pool.dropIdle(plan)
      links.dropIdle(plan)
      return await attempt({ request, plan, notes })
    }
  }

  return {
    async send(request, permit) {
      assertPermitted(permit, request)
      return exchange(request)
    },

    sendOwn: exchange,

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
      links.destroy()
      http2.destroy()
      spares.destroy()
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
