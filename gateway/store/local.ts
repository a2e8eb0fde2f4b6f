import { Readable } from 'node:stream'
import type { Answer, Upstream, UpstreamFault } from '../../adapters/upstream/port.ts'
import { requestTarget } from '../../catalog/index.ts'
import type { Inner } from '../inner.ts'
import { Refusal } from '../refusal.ts'
import { refusedAnswer, type StoreAnswer } from './faults.ts'
import { storeInside } from './rows.ts'
import { serveStore, type Buckets } from './serve.ts'

/** Told of what fails behind a bucket. */
export interface StoreLog {
  warn(fields: object, message: string): void
}

/**
 * The buckets as an upstream: a call that is let through is answered here in place of a socket. As any upstream it wants
 * the permit for this very request, and its own word that something is not there is an answer like another.
 */
export function createStoreUpstream(buckets: Buckets, log: StoreLog): Inner {
  return {
    route: storeInside,
    async send(request, permit) {
      const { method, origin, path, headers, body, signal } = request
      if (permit.target !== requestTarget(method, origin, path))
        throw new TypeError('the permit is for another call')
      const leave = () => void body?.destroy()
      signal.addEventListener('abort', leave, { once: true })
      try {
        const answer = await serveStore(buckets, { method, target: path, headers, body })
        return answered(answer, signal)
      } catch (error) {
        if (error instanceof Refusal && error.status < 500)
          return answered(refusedAnswer(error), signal)
        log.warn({ error: causeOf(error), path }, 'a bucket did not answer')
        throw error instanceof Refusal ? failed(error) : error
      } finally {
        signal.removeEventListener('abort', leave)
        // What nobody wanted of it would hold up whoever sends it.
        body?.destroy()
      }
    },
  }
}

function answered({ status, headers, body }: StoreAnswer, signal: AbortSignalLike): Answer {
  const whole = body ?? Buffer.alloc(0)
  if (whole instanceof Readable) endWith(whole, signal)
  return { status, statusText: '', headers, body: whole, trailers: () => [], address: 'store' }
}

type AbortSignalLike = Parameters<Upstream['send']>[0]['signal']

/** Who has gone gets no more of it. */
function endWith(body: Readable, signal: AbortSignalLike): void {
  const end = () => void body.destroy(new Error('the call has ended'))
  signal.addEventListener('abort', end, { once: true })
  body.once('close', () => signal.removeEventListener('abort', end))
}

/** Whether a write reached its place may not be known. */
function failed({ reasons, cause }: Refusal): UpstreamFault {
  const got = reasons[0]?.got ?? ''
  const fault = { name: 'UpstreamFault', code: 'upstream_failed', sent: 'unknown', got } as const
  return Object.assign(new Error(got, { cause }), fault)
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}
