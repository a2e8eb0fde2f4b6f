import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { canonicalAuthority } from '../../catalog/index.ts'
import type { Origin, RawHeaders } from '../../adapters/upstream/port.ts'
import type { KnockFault } from '../knock.ts'
import { valuesOf } from './fields.ts'

/** The head of a request as far as its own consistency goes. */
export interface Head {
  /** As it was written, `1.1` say; `2` on HTTP/2. */
  readonly httpVersion: string
  readonly target: string
  readonly headers: RawHeaders
}

/** The head of a request as Node's parser read it. */
export function headOf(req: IncomingMessage): Head {
  return { httpVersion: req.httpVersion, target: req.url ?? '', headers: req.rawHeaders }
}

/** The version of a request whose head has no fault; of one that has, the nearest. */
export function versionOf(req: IncomingMessage): '1.0' | '1.1' {
  return req.httpVersion === '1.0' ? '1.0' : '1.1'
}

/** WebSocket clients may write their own scheme (RFC 6455, 3), which names the same origins. */
export function withHttpScheme(target: string): string {
  return target.replace(/^ws(s?):/i, 'http$1:')
}

/** Whether bytes follow the head as a body (RFC 9112, 6.3). */
export function announcesBody(headers: RawHeaders): boolean {
  const lengths = valuesOf(headers, 'content-length')
  return (
    valuesOf(headers, 'transfer-encoding').length > 0 || lengths.some((length) => length !== '0')
  )
}

/**
 * What makes a request ambiguous by itself: fields that two parties could read differently. Node's parser refuses
 * most of it before; what it lets pass, such as a second Host, is found here.
 */
export function headFault(
  head: Head,
  limits: { readonly maxUrlBytes: number },
): KnockFault | undefined {
  const { target, headers } = head
  if (target.length > limits.maxUrlBytes) {
    return {
      code: 'too_large',
      status: 414,
      got: `a target of ${target.length} bytes`,
      repair: `keep the target within ${limits.maxUrlBytes} bytes`,
    }
  }
  return versionFault(head) ?? hostFault(head) ?? lengthFault(headers) ?? codingFault(head)
}

/** A fault that every way of being malformed has in common. */
export function malformed(got: string, repair: string): KnockFault {
  return { code: 'malformed_request', got, repair }
}

/** The same where two parties could see its end in two places: what comes behind it is not read. */
function unclear(got: string, repair: string): KnockFault {
  return { ...malformed(got, repair), closes: true }
}

/** Where a request names an authority that is not the one its connection or target names. */
export function mismatch(got: string, expected: Origin): KnockFault {
  return {
    code: 'authority_mismatch',
    got,
    repair: `name \`${expected.host}\` in the tunnel, the TLS server name and Host alike`,
  }
}

/** The fault of a Host (or `:authority`) that is not the origin's; without a port, the origin's is meant. */
export function authorityFault(text: string, origin: Origin): KnockFault | undefined {
  const authority = canonicalAuthority(text, origin.port)
  if (!authority.ok) return unclear(`Host \`${text}\`: ${authority.reason}`, 'send a valid Host')
  if (authority.host === origin.host && authority.port === origin.port) return undefined
  return mismatch(text, origin)
}

/** The fault of a Host that need not be any certain one, but has to be one (RFC 9112, 3.2). */
export function hostTextFault(headers: RawHeaders): KnockFault | undefined {
  const [text] = valuesOf(headers, 'host')
  if (text === undefined || goodHosts.has(text)) return undefined
  const authority = canonicalAuthority(text, 80)
  if (!authority.ok) return unclear(`Host \`${text}\`: ${authority.reason}`, 'send a valid Host')
  if (text.length <= MOST_REMEMBERED) goodHosts.set(text, true)
  return undefined
}

/** Most clients say the same few names over and over. */
const goodHosts = new LRUCache<string, true>({ max: 1_000 })
const MOST_REMEMBERED = 260

const VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1', '2'])

/** Node's parser takes 0.9 and 2.0 too, as if they were 1.1. */
function versionFault({ httpVersion }: Head): KnockFault | undefined {
  if (VERSIONS.has(httpVersion)) return undefined
  return unclear(`the version HTTP/${httpVersion}`, 'send HTTP/1.1')
}

function hostFault({ httpVersion, headers }: Head): KnockFault | undefined {
  const hosts = valuesOf(headers, 'host')
  if (hosts.length > 1) return unclear(`${hosts.length} Host fields`, 'send one Host field')
  if (hosts.length === 0 && httpVersion === '1.1')
    return unclear('no Host field', 'send a Host field')
  return undefined
}

function lengthFault(headers: RawHeaders): KnockFault | undefined {
  const lengths = valuesOf(headers, 'content-length')
  if (lengths.length > 1) {
    return unclear(`${lengths.length} Content-Length fields`, 'send one Content-Length field')
  }
  const [length] = lengths
  if (length === undefined) return undefined
  if (!/^\d{1,15}$/.test(length))
    return unclear(`Content-Length \`${length}\``, 'send a decimal number')
  if (valuesOf(headers, 'transfer-encoding').length === 0) return undefined
  return unclear('Content-Length and Transfer-Encoding', 'send one of the two')
}

/** Only `chunked`, once: a coding under it would reach the upstream as if it were the content. */
function codingFault({ httpVersion, headers }: Head): KnockFault | undefined {
  const codings = valuesOf(headers, 'transfer-encoding')
  if (codings.length === 0) return undefined
  if (httpVersion === '1.1' && codings.length === 1 && codings[0]?.toLowerCase() === 'chunked') {
    return undefined
  }
  return unclear(
    `Transfer-Encoding \`${codings.join(', ')}\``,
    'send `chunked` alone, over HTTP/1.1',
  )
}
