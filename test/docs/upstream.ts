import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createSecureContext } from 'node:tls'
import { systemClock } from '../../adapters/clock/system.ts'
import { createAuthority } from '../../gateway/tls/authority.ts'

/** The hosts that the pages call; here they are all this one server. */
export const HOSTS = ['example.com', 'api.github.com'] as const

/** What stands in for the internet. */
export interface StandIn {
  /** `127.0.0.1:port`. */
  readonly address: string
  /** The certificate of the authority behind it. */
  readonly caFile: string
  /** The credentials that reached it, one for each request. */
  readonly heard: readonly (string | undefined)[]
  stop(): Promise<void>
}

const ISSUES = [1, 2].map((number) => ({
  number,
  title: `the title of ${number}`,
  user: { login: 'octo', id: 583_231 },
  body: 'long '.repeat(100),
}))

/** Serves both hosts over TLS on a free port of loopback. */
export async function openStandIn(folder: string): Promise<StandIn> {
  const authority = await createAuthority({ folder, clock: systemClock })
  const leaves = await Promise.all(HOSTS.map((host) => authority.leaf(host)))
  const contexts = new Map(
    HOSTS.map((host, at) => [host as string, createSecureContext(leaves[at])]),
  )
  const heard: (string | undefined)[] = []
  const server = createServer(
    { SNICallback: (name, done) => done(null, contexts.get(name)) },
    (request, response) => {
      heard.push(request.headers.authorization)
      if (request.url?.startsWith('/repos/') !== true)
        return response.end(`this is ${request.headers.host}\n`)
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(ISSUES))
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    caFile: authority.caFile,
    heard,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
