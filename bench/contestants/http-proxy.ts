import { createServer, type Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import httpProxy from 'http-proxy'
import { announce, targetAddress, type Ready } from './contestant.ts'

/** http-proxy 1.18.1 in front of the target, doing nothing but forwarding, with the given agent. */
export function startHttpProxy(agent: Agent | undefined, says: Ready['says']): void {
  const proxy = httpProxy.createProxyServer({
    target: `http://${targetAddress()}`,
    ...(agent === undefined ? {} : { agent }),
  })
  proxy.on('error', (_error, _request, response) => response.end())
  const server = createServer((request, response) => proxy.web(request, response))
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () =>
    announce({ address: `127.0.0.1:${(server.address() as AddressInfo).port}`, says }),
  )
}
