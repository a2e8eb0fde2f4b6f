import type { FastifyRequest } from 'fastify'
import type { WayPlace } from '../ways.ts'
import type { OwnerPorts } from './ports.ts'

/** Where holders reach the gateway: as it is configured, else the proxy's port on the host that the request came to. */
export function holderBase(request: FastifyRequest, ports: OwnerPorts): string {
  const configured = ports.sending()?.base
  if (configured !== undefined) return configured
  const host = holderHost(request, ports)
  // On a unix socket there is no address that a link could name.
  return host === undefined ? '' : `http://${host}`
}

/** For texts of ways that the owner asks for, who has no token at hand. */
export function ownerPlace(request: FastifyRequest, ports: OwnerPorts): WayPlace {
  const { host } = request
  return {
    config: ports.wayConfig(),
    token: undefined,
    host: holderHost(request, ports),
    console: ports.listen.kind === 'unix' ? undefined : `http://${host}`,
  }
}

function holderHost({ hostname }: FastifyRequest, ports: OwnerPorts): string | undefined {
  const port = /^[^/]*:(\d+)$/.exec(ports.holderAddress() ?? '')?.[1]
  return port === undefined ? undefined : `${hostname}:${port}`
}
