import type { FastifyRequest } from 'fastify'
import { refusal } from '../refusal.ts'
import { isConsole } from './console/address.ts'
import { isLoopback } from './host.ts'
import type { OwnerKeyCheck } from './key-check.ts'
import type { OwnerPorts } from './ports.ts'

const OPEN_ON_LOOPBACK: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Lets a request on where it bears the owner key, or needs none. */
export function ownerAuth({ keyHeaders }: Pick<OwnerPorts, 'keyHeaders'>, check: OwnerKeyCheck) {
  return async (request: FastifyRequest): Promise<void> => {
    // The console has a guard of its own; its cookie is worth nothing at any other door.
    if (needsNoKey(request) || isConsole(request)) return
    const names = keyHeaders()
    const sent = sentKeys(request, names)
    if (sent.length === 0) {
      const repair = `send the owner key as \`${names.join('`, `')}\` or as a Bearer token`
      throw refusal('owner_key_missing', 'owner key', { got: 'no key', repair })
    }
    check(sent, request.socket.remoteAddress)
  }
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
