import type { ConfigFiles } from '../files.ts'
import { showGot } from '../got.ts'
import type { RawUpstream } from '../raw.ts'
import type { Report } from '../report.ts'
import type { KeyBinding } from '../key-types.ts'
import type { HostPattern, UpstreamConfig } from '../types.ts'
import { buildClientCertificate, readCertificates } from './certificates.ts'
import { buildAddress, buildHostPattern, buildRange, portsOf } from './hosts.ts'
import { checkKeyOverlaps } from './key-overlaps.ts'
import { buildKey } from './keys.ts'
import { buildProxy } from './proxy.ts'

interface Context {
  readonly at: string
  readonly files: ConfigFiles
  readonly report: Report
}

/** All upstreams, and what two of them may not share. */
export function buildUpstreams(
  raw: readonly RawUpstream[] | undefined,
  files: ConfigFiles,
  report: Report,
): readonly UpstreamConfig[] {
  const names = new Set<string>()
  const keyNames = new Set<string>()
  const owners = new Map<string, string>()
  const upstreams = report.items('upstreams', raw, (one, at) => {
    const upstream = buildUpstream(one, { at, files, report })
    claimName(upstream.name, names, { at: `${at}.name`, report })
    claimHosts(upstream, owners, { at: `${at}.hosts`, report })
    for (const key of upstream.keys) claimName(key.name, keyNames, { at: `${at}.keys`, report })
    return upstream
  })
  checkPlaceholders(
    upstreams.flatMap((one) => one.keys),
    report,
  )
  return upstreams
}

function buildUpstream(
  raw: RawUpstream,
  context: { readonly at: string; readonly files: ConfigFiles; readonly report: Report },
): UpstreamConfig {
  const { at, files, report } = context
  const keys = report.items(`${at}.keys`, raw.keys, (key, where) =>
    buildKey(key, { at: where, files, report }),
  )
  checkKeyOverlaps(keys, `${at}.keys`, report)
  if (raw.intercept === false && keys.length > 0) {
    report.add(
      `${at}.intercept`,
      '`false` beside keys',
      'set it to `true`: a tunnel that is not read takes no key',
    )
  }
  if (raw.intercept === false && raw.client_certificate !== undefined) {
    report.add(
      `${at}.intercept`,
      '`false` beside a client certificate',
      'set it to `true`: in a tunnel that is not read the client itself speaks TLS',
    )
  }
  return {
    name: raw.name,
    hosts: report.items(`${at}.hosts`, raw.hosts, (text, where) =>
      buildHostPattern(text, where, report),
    ),
    address: report.field(`${at}.address`, raw.address, (text, where) =>
      buildAddress(text, where, report),
    ),
    allowPrivate: report.items(`${at}.allow_private`, raw.allow_private, (text, where) =>
      buildRange(text, where, report),
    ),
    ca: report.items(`${at}.ca`, raw.ca, (path, where) =>
      readCertificates(path, { at: where, files, report }),
    ),
    clientCertificate: buildClientCertificate(raw.client_certificate, {
      at: `${at}.client_certificate`,
      files,
      report,
    }),
    proxy: buildProxy(raw.proxy, { at: `${at}.proxy`, files, report }),
    intercept: raw.intercept,
    bears: raw.bears,
    keep: raw.keep,
    keys,
  }
}

function claimName(
  name: string | undefined,
  taken: Set<string>,
  { at, report }: Omit<Context, 'files'>,
): void {
  if (name === undefined) return
  if (taken.has(name))
    report.add(at, `${showGot(name)} a second time`, 'give each a name of its own')
  taken.add(name)
}

/** A host belongs to one upstream, or it would be a matter of order which key it gets. */
function claimHosts(
  { name, hosts }: UpstreamConfig,
  owners: Map<string, string>,
  { at, report }: Omit<Context, 'files'>,
): void {
  for (const place of hosts.flatMap(placesOf)) {
    const owner = owners.get(place)
    if (owner !== undefined) {
      report.add(
        at,
        `\`${place}\`, which \`${owner}\` has as well`,
        'list each host, with its port, once',
      )
    }
    owners.set(place, name)
  }
}

function placesOf(pattern: HostPattern): readonly string[] {
  return portsOf(pattern).map((port) => `${pattern.suffix ? '*' : ''}${pattern.host}:${port}`)
}

/** One placeholder inside another would be replaced in the wrong place. */
function checkPlaceholders(keys: readonly KeyBinding[], report: Report): void {
  const held = keys.flatMap(({ name, use }) =>
    use.kind === 'placeholder' ? [{ name, text: use.text }] : [],
  )
  for (const inner of held) {
    const outer = held.find((other) => other.text !== inner.text && other.text.includes(inner.text))
    if (outer === undefined) continue
    const got = `the placeholder of \`${inner.name}\`, which lies inside that of \`${outer.name}\``
    report.add('upstreams[].keys', got, 'choose placeholders that do not contain one another')
  }
}
