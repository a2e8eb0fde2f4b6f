import { absoluteTarget } from '../../../catalog/index.ts'
import type { ConfigFiles } from '../files.ts'
import { hideGot } from '../got.ts'
import type { RawProxy } from '../raw.ts'
import type { Report } from '../report.ts'
import type { ProxyConfig } from '../types.ts'
import { buildBypass } from './hosts.ts'
import { buildSecret } from './secret.ts'

/** A proxy on the way to upstreams. */
export function buildProxy(
  raw: RawProxy | undefined,
  {
    at,
    files,
    report,
  }: { readonly at: string; readonly files: ConfigFiles; readonly report: Report },
): ProxyConfig | undefined {
  if (raw === undefined || !report.usable(at)) return undefined
  const url = report.field(`${at}.url`, raw.url, (text, where) => buildUrl(text, where, report))
  const password = report.field(`${at}.password`, raw.password, (source) =>
    buildSecret(source, files),
  )
  const bypass = report.items(`${at}.bypass`, raw.bypass, (text, where) =>
    buildBypass(text, where, report),
  )
  if (password !== undefined && raw.user === undefined) {
    report.add(`${at}.user`, 'nothing', 'add the user that the password belongs to')
  }
  return url === undefined ? undefined : { ...url, user: raw.user, password, bypass }
}

function buildUrl(
  text: string,
  at: string,
  report: Report,
): { readonly host: string; readonly port: number } | undefined {
  const target = absoluteTarget(text)
  // The text is not shown: user information in it would be a password.
  if (!target.ok) {
    report.add(
      at,
      hideGot(text),
      `${target.reason}; write \`http://host:port\`, with \`user\` and \`password\` beside it`,
    )
    return undefined
  }
  if (target.scheme !== 'http' || target.path !== '/') {
    report.add(
      at,
      hideGot(text),
      'write `http://host:port`: a proxy is spoken to in clear and has no path',
    )
    return undefined
  }
  return { host: target.host, port: target.port }
}
