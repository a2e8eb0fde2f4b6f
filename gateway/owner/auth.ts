import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { refusal, Refusal } from '../refusal.ts'
import { createFailureLimit } from './failures.ts'
import { isLoopback } from './host.ts'
import type { OwnerPorts } from './ports.ts'

const OPEN_ON_LOOPBACK: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Lets a request on where it bears the owner key, or needs none. */
export function ownerAuth({
  ownerKey,
  keyHeaders,
  clock,
}: Pick<OwnerPorts, 'ownerKey' | 'keyHeaders' | 'clock'>) {
  const right = digest(ownerKey.reveal())
  const failures = createFailureLimit(clock)
  return async (request: FastifyRequest): Promise<void> => {
    if (needsNoKey(request)) return
    const names = keyHeaders()
    const sent = sentKeys(request, names)
    if (sent.length === 0) {
      const repair = `send the owner key as \`${names.join('`, `')}\` or as a Bearer token`
      throw refusal('owner_key_missing', 'owner key', { got: 'no key', repair })
    }
    // The right key is let in even while failures are limited, or any process of this machine could lock
    // the owner out. Guessing gains nothing by it: a key has 32 random bytes at least.
    if (sent.every((key) => timingSafeEqual(digest(key), right))) return
    throw wrongKey(failures.note(request.socket.remoteAddress ?? 'unix'))
  }
}

function wrongKey(retryAfter: number | undefined): Refusal {
  const reason = {
    axis: 'owner key',
    got: 'another key',
    repair: 'send the key in the file `owner.key` of the state folder',
  }
  if (retryAfter === undefined) return new Refusal('owner_key_wrong', [reason])
  return new Refusal('rate_limited', [reason], { retryAfter })
}

function needsNoKey({ routeOptions, socket }: FastifyRequest): boolean {
  if (routeOptions.url === undefined || !OPEN_ON_LOOPBACK.has(routeOptions.url)) return false
  // A unix socket has no remote address; who may open it is the file system's matter.
  return socket.remoteAddress === undefined || isLoopback(socket.remoteAddress)
}

/** Every key that was sent; who sends several means all of them. */
function sentKeys({ headers }: FastifyRequest, names: readonly string[]): readonly string[] {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return [...names.map((name) => headers[name]).flat(), bearer].filter((key) => key !== undefined)
}

/** Equal lengths for the comparison, whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
