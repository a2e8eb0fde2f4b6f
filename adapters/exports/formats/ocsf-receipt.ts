import { isIP } from 'node:net'
import {
  CREATE,
  DELETE,
  millis,
  OTHER,
  READ,
  UPDATE,
  type Activity,
  type Particular,
} from './ocsf-parts.ts'
import { membersOf, numberOf, textOf, urlOf, type Fields } from './fields.ts'

const ACTIVITIES = new Map<unknown, Activity>(
  Object.entries({
    GET: READ,
    HEAD: READ,
    OPTIONS: READ,
    POST: CREATE,
    PUT: UPDATE,
    PATCH: UPDATE,
    DELETE,
  }),
)

interface Verdict {
  readonly severity: readonly [id: number, name: string]
  readonly status: readonly [id: number, name: string]
  /** 1 Allowed, 2 Denied, 99 Other; what the gateway did with the call. */
  readonly action: readonly [id: number, name: string]
}

const SUCCESS = [1, 'Success'] as const
const FAILURE = [2, 'Failure'] as const
const ALLOWED = [1, 'Allowed'] as const

const VERDICTS = new Map<unknown, Verdict>(
  Object.entries<Verdict>({
    allowed: { severity: [1, 'Informational'], status: SUCCESS, action: ALLOWED },
    refused: { severity: [3, 'Medium'], status: FAILURE, action: [2, 'Denied'] },
    failed: { severity: [2, 'Low'], status: FAILURE, action: ALLOWED },
    gone: { severity: [1, 'Informational'], status: [99, 'Other'], action: ALLOWED },
  }),
)

const UNKNOWN: Verdict = {
  severity: [2, 'Low'],
  status: [0, 'Unknown'],
  action: [0, 'Unknown'],
}

/** The attributes of an exchange. What is undefined is left out of the JSON. */
export function ocsfReceipt(fields: Fields): Particular {
  const { method } = membersOf(fields['upstream'])
  return {
    activity: ACTIVITIES.get(method) ?? OTHER,
    ...times(fields),
    ...verdict(fields),
    actor: actorOf(fields),
    api: apiOf(fields),
    src_endpoint: endpointOf(textOf(fields['peer'])) ?? { name: 'unknown' },
    ...wire(fields),
  }
}

function times(fields: Fields): { readonly time: number; readonly [name: string]: unknown } {
  const opened = millis(fields['opened'])
  const closed = millis(fields['closed'])
  const duration = opened === undefined || closed === undefined ? undefined : closed - opened
  return { time: closed ?? opened ?? 0, start_time: opened, end_time: closed, duration }
}

function verdict(fields: Fields): Fields {
  const { severity, status, action } = VERDICTS.get(fields['outcome']) ?? UNKNOWN
  const answered = numberOf(fields['status'])
  return {
    severity_id: severity[0],
    severity: severity[1],
    status_id: status[0],
    status: status[1],
    status_code: textOf(fields['code']) ?? (answered === undefined ? undefined : String(answered)),
    status_detail: detailOf(fields['reasons']),
    action_id: action[0],
    action: action[1],
  }
}

function apiOf(fields: Fields): object {
  const { method, url } = membersOf(fields['upstream'])
  const code = numberOf(fields['status'])
  const error = textOf(fields['code'])
  const host = urlOf(url)?.hostname
  return {
    operation: textOf(fields['tool']) ?? textOf(method) ?? 'unknown',
    service: host === undefined ? undefined : { name: host },
    request: { uid: textOf(fields['id']) ?? '' },
    response: code === undefined && error === undefined ? undefined : { code, error },
  }
}

/** What went over the wire, and whereto. */
function wire(fields: Fields): Fields {
  const { method, url: written } = membersOf(fields['upstream'])
  const url = urlOf(written)
  const code = numberOf(fields['status'])
  const http_response = code === undefined ? undefined : { code }
  if (url === undefined) return { http_response }
  return {
    dst_endpoint: { hostname: url.hostname, ...endpointOf(textOf(fields['address'])) },
    http_request: { http_method: method, url: { url_string: url.href, ...partsOf(url) } },
    http_response,
  }
}

/** Whoever used the token: the person who was signed in, or the grant. */
function actorOf(fields: Fields): object {
  const person = textOf(fields['person'])
  const grant = textOf(fields['grant'])
  const link = textOf(fields['link'])
  const user =
    person === undefined && grant === undefined
      ? { name: 'unknown' }
      : { uid: person ?? grant, credential_uid: grant }
  return { user, session: link === undefined ? undefined : { uid: link, is_remote: true } }
}

/** `ip:port`, with IPv6 in brackets or not. */
function endpointOf(peer: string | undefined): { ip: string; port?: number } | undefined {
  const [, host = '', port] = /^\[?(.*?)\]?(?::(\d{1,5}))?$/.exec(peer ?? '') ?? []
  if (isIP(host) !== 0) return port === undefined ? { ip: host } : { ip: host, port: Number(port) }
  return peer !== undefined && isIP(peer) !== 0 ? { ip: peer } : undefined
}

function partsOf({ protocol, hostname, port, pathname, search }: URL): object {
  const scheme = protocol.slice(0, -1)
  return {
    scheme,
    hostname,
    port: Number(port || (scheme === 'https' ? 443 : 80)),
    path: pathname,
    query_string: search === '' ? undefined : search.slice(1),
  }
}

function detailOf(reasons: unknown): string | undefined {
  if (!Array.isArray(reasons) || reasons.length === 0) return undefined
  return reasons
    .map(membersOf)
    .map(({ axis, got, repair }) => `${String(axis)}: got ${String(got)}; ${String(repair)}`)
    .join(' | ')
}
