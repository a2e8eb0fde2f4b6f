import type { UpstreamRequest } from '../../../../adapters/upstream/port.ts'
import { LOOPBACK, requestTo } from './upstream.ts'

interface Place {
  readonly port: number
  readonly ca: string
}

/** A request to a server of HTTP/2 on loopback. */
export function overHttp2(
  { port, ca }: Place,
  changes: Partial<UpstreamRequest> = {},
): UpstreamRequest {
  return requestTo(port, {
    origin: { scheme: 'https', host: '127.0.0.1', port },
    route: routeTo(ca),
    http2: true,
    ...changes,
  })
}

// Connections are shared by origin and route, so requests to one server have one route.
const routes = new Map<string, UpstreamRequest['route']>()
function routeTo(ca: string): UpstreamRequest['route'] {
  const route = routes.get(ca) ?? { allowPrivate: LOOPBACK, ca: [ca] }
  routes.set(ca, route)
  return route
}
