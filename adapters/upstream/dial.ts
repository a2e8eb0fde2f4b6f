import { request as httpRequest } from 'node:http'
import * as net from 'node:net'
import * as tls from 'node:tls'
import type { LookupAddress } from 'node:dns'
import { LRUCache } from 'lru-cache'
import { Fault, toFault } from './fault.ts'
import { checkLiteral, resolveChecked } from './resolve.ts'
import type { Guard } from './resolve.ts'
import type { CallerSignal } from './port.ts'
import type { Plan } from './route.ts'
import { authorityOf } from './target.ts'
import { trustContext } from './trust.ts'

/** What may be agreed on for a TLS connection (ALPN, RFC 7301). */
export type Protocol = 'h2' | 'http/1.1'

/** A connection that is ready for the request's first byte. */
export interface Dialled {
  readonly socket: net.Socket
  /** The TCP connection below TLS; without TLS the same. */
  readonly below: net.Socket
  /** What was dialled, `ip:port`. */
  readonly address: string
  /** Agreed on with the upstream; HTTP/1.1 where it said nothing. */
  readonly protocol: Protocol
}

export interface DialOptions {
  /** Ends the attempt at once. */
  readonly signal: CallerSignal
  /** Milliseconds for everything together: name, TCP, proxy and TLS. */
  readonly timeout: number
  /** What is offered to the upstream, the favourite first; HTTP/1.1 alone where absent. */
  readonly protocols?: readonly Protocol[]
}

export interface Dialler {
  dial(plan: Plan, options: DialOptions): Promise<Dialled>
}

/**
 * Opens connections: resolves once, checks, dials what was checked, and never takes a certificate that does not
 * verify. `closing` ends all attempts under way.
 */
export function createDialler(guard: Guard, closing: AbortSignal): Dialler {
  const sessions = new LRUCache<string, Buffer>({ max: 1000 })

  async function open(
    plan: Plan,
    signal: AbortSignal,
    protocols: readonly Protocol[],
  ): Promise<Dialled> {
    const socket = await openTcp(plan, guard, signal)
    const address = authorityOf({ host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 })
    if (plan.hop === 'tunnel') await openTunnel(plan, socket, signal)
    if (!plan.secure) return { socket, below: socket, address, protocol: 'http/1.1' }
    const secured = await openTls(plan, socket, { signal, sessions, protocols })
    const protocol = secured.alpnProtocol === 'h2' ? 'h2' : 'http/1.1'
    return { socket: secured, below: socket, address, protocol }
  }

  return {
    async dial(plan, { signal, timeout, protocols = ['http/1.1'] }) {
      const stop = new AbortController()
      const timer = setTimeout(() => stop.abort(late(plan, timeout)), timeout)
      const giveUp = () => stop.abort(givenUp(plan))
      const signals: readonly CallerSignal[] = [signal, closing]
      for (const one of signals) one.addEventListener('abort', giveUp, { once: true })
      if (signals.some((one) => one.aborted)) giveUp()
      try {
        return await open(plan, stop.signal, protocols)
      } catch (error) {
        throw toFault(
          stop.signal.aborted ? stop.signal.reason : error,
          'no',
          authorityOf(plan.origin),
        )
      } finally {
        clearTimeout(timer)
        for (const one of signals) one.removeEventListener('abort', giveUp)
      }
    },
  }
}

function late(plan: Plan, ms: number): Fault {
  const text = `no connection to ${authorityOf(plan.origin)} within \`${ms}\` ms; raise the connect timeout or check the path`
  return new Fault('upstream_timeout', text, { sent: 'no' })
}

function givenUp(plan: Plan): Fault {
  const text = `the connection to ${authorityOf(plan.origin)} was given up, \`aborted\`; nothing to repair`
  return new Fault('upstream_failed', text, { sent: 'no' })
}

async function openTcp(plan: Plan, guard: Guard, signal: AbortSignal): Promise<net.Socket> {
  if (plan.hop !== 'direct')
    await unlessAborted(checkLiteral(plan.origin, plan.route, guard), signal)
  const chosen = plan.hop === 'direct' ? plan.route.address : plan.route.proxy
  const { host, port } = chosen ?? plan.origin
  const addresses = chosen
    ? await unlessAborted(resolveTrusted(host, guard), signal)
    : await unlessAborted(resolveChecked(plan.origin, plan.route, guard), signal)
  const socket = net.connect({ host, port, lookup: answerWith(addresses), noDelay: true })
  try {
    return await ready(socket, 'connect', signal)
  } catch (error) {
    guard.names.forget(host)
    throw error
  }
}

/** An operator named this host himself: it is resolved by the same resolver, without a check. */
async function resolveTrusted(host: string, guard: Guard): Promise<readonly LookupAddress[]> {
  const family = net.isIP(host)
  return family === 0 ? await guard.names.lookup(host) : [{ address: host, family }]
}

/** A lookup that knows nothing but what was checked, so that happy eyeballs tries these addresses alone. */
function answerWith(addresses: readonly LookupAddress[]): net.LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses
    if (options.all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
}

/** Asks the proxy on `socket` for a tunnel to the origin. */
async function openTunnel(plan: Plan, socket: net.Socket, signal: AbortSignal): Promise<void> {
  const authority = authorityOf(plan.origin)
  const authorization = plan.route.proxy?.authorization
  // Without a word on it node:http writes `Connection: close`, which some proxies take at its word.
  const headers = ['Host', authority, 'Connection', 'keep-alive']
  if (authorization !== undefined) headers.push('Proxy-Authorization', authorization)
  const request = httpRequest({
    method: 'CONNECT',
    path: authority,
    headers,
    createConnection: () => socket,
  })
  const giveUp = () => socket.destroy()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      request.once('error', reject)
      request.once('connect', (answer, _socket, first: Buffer) => {
        const status = answer.statusCode ?? 0
        if (status < 200 || status > 299) return reject(tunnelRefused(plan, status))
        if (first.length > 0) socket.unshift(first)
        resolve()
      })
      request.end()
    })
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

function tunnelRefused(plan: Plan, status: number): Fault {
  const proxy = plan.route.proxy ? authorityOf(plan.route.proxy) : ''
  return new Fault(
    'upstream_failed',
    `the proxy ${proxy} gave no tunnel to ${authorityOf(plan.origin)}, status \`${status}\`; check its rules and credentials`,
    { sent: 'no' },
  )
}

interface TlsOptions {
  readonly signal: AbortSignal
  readonly sessions: LRUCache<string, Buffer>
  readonly protocols: readonly Protocol[]
}

async function openTls(
  plan: Plan,
  socket: net.Socket,
  { signal, sessions, protocols }: TlsOptions,
): Promise<tls.TLSSocket> {
  const { host } = plan.origin
  const session = sessions.get(plan.key)
  const secured = tls.connect({
    socket,
    // The name that the certificate is held against; RFC 6066 forbids an address as server name.
    host,
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    ...(session === undefined ? {} : { session }),
    secureContext: trustContext(plan.route),
    ALPNProtocols: [...protocols],
    rejectUnauthorized: true,
  })
  secured.on('session', (ticket) => sessions.set(plan.key, ticket))
  return await ready(secured, 'secureConnect', signal)
}

/** Waits for the event; an error or an abort destroys the socket and rejects. */
async function ready<S extends net.Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  const opened = new Promise<S>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', () =>
      reject(new Fault('upstream_failed', HUNG_UP, { sent: 'no', transient: true })),
    )
    socket.once(event, () => resolve(socket))
  })
  try {
    return await unlessAborted(opened, signal)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

const HUNG_UP =
  'the upstream hung up before the connection stood, `closed`; check what listens there'

/** Settles as `work` does, or rejects at once when the signal aborts; the work's own end is then ignored. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
