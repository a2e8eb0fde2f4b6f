import { Readable } from 'node:stream'
import type { McpFetch } from '../../adapters/mcp/port.ts'
import type { Answer, RawHeaders, Upstream } from '../../adapters/upstream/port.ts'
import { absoluteTarget, type AbsoluteTarget } from '../../catalog/index.ts'
import { routeTo } from '../config/index.ts'
import type { Snapshot } from '../ports.ts'
import { streamOf } from '../wire/answer-stream.ts'
import { armHead } from '../wire/armed-head.ts'
import { authorityOf } from '../wire/forwarded-head.ts'

export interface FetchPorts {
  readonly upstream: Pick<Upstream, 'sendOwn'>
  snapshot(): Snapshot
}

/**
 * Sends the requests of a session with a server by the way that its upstream has: addresses and certificates are checked, and its
 * key is put in, as the configuration in force has them. No request goes anywhere but to the one address of the server.
 */
export function createServerFetch(
  server: { readonly url: string; readonly key: string | undefined },
  ports: FetchPorts,
): McpFetch {
  return async (url, init = {}) => {
    if (String(url) !== server.url) throw new Error('a request for another address')
    const target = absoluteTarget(server.url)
    if (!target.ok) throw new Error('an address that cannot be read')
    const { signal = null, method = 'GET', body } = init
    if (body !== undefined && body !== null && typeof body !== 'string')
      throw new Error('a body that is no text')
    const { scheme, host, port, path } = target
    const origin = { scheme, host, port }
    const snapshot = ports.snapshot()
    const { limits } = snapshot.config
    const sent = typeof body === 'string' ? Buffer.from(body) : undefined
    const fields = headersOf(init, target, sent)
    const answer = await ports.upstream.sendOwn({
      origin,
      route: routeTo(snapshot, origin),
      method,
      path,
      headers: armed(fields, server.key, snapshot),
      body: sent === undefined ? null : Readable.from([sent]),
      upgrade: false,
      signal: signal ?? new AbortController().signal,
      timeouts: {
        connect: limits.upstreamConnectMs,
        head: limits.upstreamHeadMs,
        idle: limits.upstreamIdleMs,
      },
    })
    return responseOf(answer)
  }
}

function headersOf(
  init: RequestInit,
  target: AbsoluteTarget,
  body: Buffer | undefined,
): RawHeaders {
  const { scheme, host, port } = target
  const given = [...new Headers(init.headers)].flat()
  const length = body === undefined ? [] : ['content-length', String(body.length)]
  const own = ['host', authorityOf({ scheme, host, port }), 'accept-encoding', 'identity']
  return [...own, 'user-agent', 'narrowgate', ...given, ...length]
}

function armed(headers: RawHeaders, key: string | undefined, snapshot: Snapshot): RawHeaders {
  if (key === undefined) return headers
  const binding = snapshot.config.upstreams
    .flatMap(({ keys }) => keys)
    .find(({ name }) => name === key)
  if (binding === undefined) throw new Error(`the key ${key} is gone from the configuration`)
  const { use } = binding
  return armHead(headers, [{ use, key: snapshot.keyring.secret(binding).reveal() }])
}

/** Without a body by the Fetch standard. */
const BODYLESS: readonly number[] = [204, 205, 304]

function responseOf({ status, headers, body }: Answer): Response {
  const fields = new Headers()
  for (let at = 0; at + 1 < headers.length; at += 2)
    fields.append(headers[at] as string, headers[at + 1] as string)
  const source = streamOf(body)
  if (!BODYLESS.includes(status)) {
    const stream = Readable.toWeb(source) as ReadableStream<Uint8Array>
    return new Response(stream, { status, headers: fields })
  }
  source.resume()
  return new Response(null, { status, headers: fields })
}
