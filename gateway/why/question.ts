import { Readable } from 'node:stream'
import type { Origin, RawHeaders } from '../../adapters/upstream/port.ts'
import { absoluteTarget } from '../../catalog/index.ts'
import { resolveUpstream, type MountConfig } from '../config/index.ts'
import { authorityFault, headFault, malformed, withHttpScheme } from '../doors/framing.ts'
import type { Knock, KnockFault } from '../knock.ts'
import type { Snapshot } from '../ports.ts'
import { authorityOf } from '../wire/forwarded-head.ts'
import { getHeader } from '../wire/headers.ts'
import { isFieldName, isFieldValue, isMethod } from '../wire/sendable.ts'

/** A call that is asked about, and not made. */
export interface Question {
  readonly token: string
  readonly method: string
  /** Where the upstream is, whatever the door: `https://api.github.com/zen`. */
  readonly url: string
  /** Names and values; `content-type: application/json` is added to a body that has none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  /** `proxy` where absent. */
  readonly door?: 'proxy' | 'mount' | undefined
  /** Whether to show the lines in Cedar. */
  readonly cedar?: boolean | undefined
}

const NOWHERE: Origin = { scheme: 'http', host: 'unknown.invalid', port: 80 }

/** The knock that a door would have made of the call; what a door would have found wrong with it is its fault. */
export function knockOf(question: Question, snapshot: Snapshot): Knock {
  const target = absoluteTarget(withHttpScheme(question.url))
  if (!target.ok) {
    const fault = malformed(`target: ${target.reason}`, 'send an absolute http or https URL')
    return { ...plainKnock(question, NOWHERE, []), fault }
  }
  const { scheme, host, port, path } = target
  const origin = { scheme, host, port }
  const headers = headersOf(question, origin)
  const knock = { ...plainKnock(question, origin, headers), path }
  const fault = faultOf(question, knock, snapshot)
  if (question.door === 'mount') return throughMount(knock, snapshot.config.mounts, fault)
  if (scheme === 'https' && !(resolveUpstream(snapshot, origin)?.intercept ?? true))
    return { ...knock, shape: 'tunnel-blind', method: 'CONNECT', path: '', body: null, fault }
  return { ...knock, shape: scheme === 'https' ? 'tunnel-tls' : 'absolute', fault }
}

function plainKnock({ token, method, body }: Question, origin: Origin, headers: RawHeaders): Knock {
  return {
    door: 'proxy',
    shape: 'absolute',
    peer: 'why',
    httpVersion: '1.1',
    method,
    origin,
    path: '/',
    headers,
    credential: token,
    body: body === undefined || body === '' ? null : Readable.from([Buffer.from(body)]),
    trailers: () => [],
    upgrade: false,
    signal: new AbortController().signal,
    cancel: () => {},
    proceed: () => {},
    inform: () => {},
  }
}

/** As a client writes them: with a Host, and a body's type and length. */
function headersOf({ headers = {}, body }: Question, origin: Origin): RawHeaders {
  const given = Object.entries(headers).flat()
  const missing = (name: string, value: string) =>
    getHeader(given, name) === undefined ? [name, value] : []
  return [
    ...missing('Host', authorityOf(origin)),
    ...given,
    ...(body === undefined || body === ''
      ? []
      : [
          ...missing('Content-Type', 'application/json'),
          ...missing('Content-Length', String(Buffer.byteLength(body))),
        ]),
  ]
}

function faultOf(
  question: Question,
  { httpVersion, headers, origin, path, shape }: Knock,
  { config }: Snapshot,
): KnockFault | undefined {
  const unreadable = unreadableFault(question)
  if (unreadable !== undefined) return unreadable
  const target = shape === 'absolute' ? `${origin.scheme}://${authorityOf(origin)}${path}` : path
  return (
    headFault({ httpVersion, target, headers }, config.limits) ??
    authorityFault(getHeader(headers, 'host') ?? '', origin)
  )
}

/** What an HTTP parser would not let in. */
function unreadableFault({ method, headers = {} }: Question): KnockFault | undefined {
  if (!isMethod(method))
    return malformed('a method that no door takes', 'send a method in upper case, such as GET')
  const fields = Object.entries(headers)
  if (!fields.every(([name]) => isFieldName(name)))
    return malformed('a header whose name is no token', 'send names of letters, digits and hyphens')
  if (!fields.every(([name, value]) => isFieldValue(name, value)))
    return malformed(
      'a header whose value cannot be sent',
      'send values on one line, of ISO 8859-1, without control characters',
    )
  return undefined
}

/** A mount takes what it leads to; of two that lead there, the first. */
function throughMount(
  knock: Knock,
  mounts: readonly MountConfig[],
  fault: KnockFault | undefined,
): Knock {
  const { origin, path } = knock
  const mount = mounts.find(
    ({ to, basePath }) =>
      to.scheme === origin.scheme &&
      to.host === origin.host &&
      to.port === origin.port &&
      (path === basePath || path.startsWith(`${basePath}/`) || path.startsWith(`${basePath}?`)),
  )
  const through = { ...knock, door: 'mount', shape: 'mount', fault } as const
  if (mount === undefined) {
    const none = malformed('a URL that no mount leads to', 'ask about a URL behind a mount')
    return { ...through, fault: fault ?? none }
  }
  const name = mount.prefix ?? mount.host ?? ''
  return { ...through, mount: { name, slot: mount.slot } }
}
