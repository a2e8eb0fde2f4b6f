import type { Tool } from '../../tool.ts'
import { canonicalHost } from '../../wire/host.ts'
import type { Operation } from './types.ts'

/** Where an operation is called, or why that is not known. */
export type Placed = Pick<Tool, 'scheme' | 'host' | 'port' | 'path'> | { readonly why: string }

const ADDRESS = /^(?:(https?):)?\/\/([^/?#@]+)([^?#]*)$/i

/** Puts the server and the path together. `given` is `host` or `host:port`, and goes before the server's own. */
export function placeOf({ servers: [server = ''], path }: Operation, given?: string): Placed {
  const [, scheme = 'https', said, base = server] = ADDRESS.exec(server) ?? []
  const authority = given ?? said
  if (authority === undefined) return { why: 'the document names no host; give one with --host' }
  const [, name = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(authority) ?? []
  const canonical = canonicalHost(name)
  if (!canonical.ok) return { why: `host ${authority}: ${canonical.reason}; give one with --host` }
  return {
    scheme: scheme.toLowerCase() === 'http' ? 'http' : 'https',
    host: canonical.host,
    ...(port !== undefined && { port: Number(port) }),
    path: join(base, path),
  }
}

function join(base: string, path: string): string {
  const start = base.replace(/\/+$/, '')
  const whole = `${start}${path.startsWith('/') ? path : `/${path}`}`
  return whole.startsWith('/') ? whole : `/${whole}`
}
