import { absoluteTarget } from '../../../catalog/index.ts'
import type { ConfigFiles } from '../files.ts'
import { hideGot, showGot } from '../got.ts'
import type { HmacPart, HmacUse, OauthUse, SigV4Use } from '../key-types.ts'
import type { RawHmac, RawOauth, RawSigV4 } from '../raw.ts'
import type { Report } from '../report.ts'
import { checkFormat, checkHeader } from './key-fields.ts'
import { buildSecret } from './secret.ts'

export function buildSigV4(raw: RawSigV4, files: ConfigFiles): SigV4Use {
  const { access_key_id: id, session_token: token, region, service } = raw
  return {
    kind: 'sigv4',
    accessKeyId: buildSecret(id, files),
    sessionToken: token && buildSecret(token, files),
    region,
    service,
  }
}

const PARTS: readonly HmacPart[] = [
  'method',
  'host',
  'path',
  'query',
  'target',
  'timestamp',
  'body',
  'body_sha256',
]

export function buildHmac(raw: RawHmac, at: string, report: Report): HmacUse | undefined {
  const { header, format, algorithm, encoding } = raw
  const { timestamp_header: timestampHeader, timestamp_unit: timestampUnit } = raw
  const message = buildMessage(raw.message, `${at}.message`, report)
  const right = [
    checkHeader(header, `${at}.header`, report),
    checkFormat(format, `${at}.format`, report),
    timestampHeader === undefined || checkHeader(timestampHeader, `${at}.timestamp_header`, report),
  ]
  if (message === undefined || right.includes(false)) return undefined
  return {
    kind: 'hmac',
    header,
    format,
    message,
    algorithm,
    encoding,
    timestampHeader,
    timestampUnit,
  }
}

/** Cuts `{timestamp}.{body}` into its parts; a brace that names none would be signed as it stands. */
function buildMessage(text: string, at: string, report: Report): HmacUse['message'] | undefined {
  const pieces = text.split(/\{([^{}]*)\}/)
  const message = pieces.map((piece, index) =>
    index % 2 === 0 ? { text: piece } : { part: piece as HmacPart },
  )
  const strange = message.find((one) =>
    'part' in one ? !PARTS.includes(one.part) : /[{}]/.test(one.text),
  )
  if (strange === undefined && message.length > 1) return message
  const got = strange === undefined ? 'no part' : 'part' in strange ? strange.part : strange.text
  report.add(at, showGot(got), `name parts of the call in braces: ${PARTS.join(', ')}`)
  return undefined
}

export function buildOauth(raw: RawOauth, at: string, report: Report): OauthUse | undefined {
  const target = absoluteTarget(raw.token_url)
  const repair = 'write it like `https://login.test/oauth/token`'
  if (!target.ok || target.scheme !== 'https') {
    // The text is not shown: user information or a query in it may be a secret.
    const why = target.ok ? 'secrets go over TLS alone' : target.reason
    report.add(`${at}.token_url`, hideGot(raw.token_url), `${why}; ${repair}`)
    return undefined
  }
  const { scheme, host, port, path } = target
  return {
    kind: 'oauth',
    tokenUrl: { origin: { scheme, host, port }, path },
    clientId: raw.client_id,
    scope: raw.scope,
    clientAuth: raw.client_auth,
  }
}
