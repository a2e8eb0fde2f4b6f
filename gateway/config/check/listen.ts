import { canonicalAuthority } from '../../../catalog/index.ts'
import type { ConfigFiles } from '../files.ts'
import { showGot } from '../got.ts'
import type { RawConfig } from '../raw.ts'
import type { Report } from '../report.ts'
import type { Config, ListenAddress } from '../types.ts'

// The kernel's bound on the path of a unix socket, less the closing NUL.
const LONGEST_SOCKET_PATH = 107

/** The two listeners; they may not claim the same place. */
export function buildListen(
  raw: RawConfig['listen'] | undefined,
  files: ConfigFiles,
  report: Report,
): Config['listen'] {
  const build = (text: string, at: string): ListenAddress | undefined =>
    buildAddress(text, { at, files, report })
  const proxy = report.field('listen.proxy', raw?.proxy, build)
  const owner = report.field('listen.owner', raw?.owner, build)
  if (proxy !== undefined && owner !== undefined && collide(proxy, owner)) {
    const got = `${showGot(raw?.owner)}, which \`listen.proxy\` takes as well`
    report.add('listen.owner', got, 'give each listener an address of its own')
  }
  const unset: ListenAddress = { kind: 'tcp', host: undefined, port: 0 }
  return { proxy: proxy ?? unset, owner: owner ?? unset }
}

function buildAddress(
  text: string,
  {
    at,
    files,
    report,
  }: { readonly at: string; readonly files: ConfigFiles; readonly report: Report },
): ListenAddress | undefined {
  if (text.startsWith('unix:')) {
    const path = files.expand(text.slice('unix:'.length))
    if (text !== 'unix:' && Buffer.byteLength(path) <= LONGEST_SOCKET_PATH)
      return { kind: 'unix', path }
    report.add(at, showGot(text), `write \`unix:/path\` of at most ${LONGEST_SOCKET_PATH} bytes`)
    return undefined
  }
  const address = parseTcp(text)
  if (address === undefined) {
    report.add(at, showGot(text), 'write `host:port`, `:port` or `unix:/path`')
  }
  return address
}

function parseTcp(text: string): ListenAddress | undefined {
  const [, host, digits] = /^(.*):(0|[1-9]\d{0,4})$/s.exec(text) ?? []
  if (host === undefined || digits === undefined || Number(digits) > 65535) return undefined
  if (host === '') return { kind: 'tcp', host: undefined, port: Number(digits) }
  const authority = canonicalAuthority(host, 1)
  // A second port, as in `host:1:2`, is not a host.
  if (!authority.ok || authority.port !== 1) return undefined
  return { kind: 'tcp', host: authority.host, port: Number(digits) }
}

function collide(one: ListenAddress, other: ListenAddress): boolean {
  if (one.kind === 'unix' || other.kind === 'unix') {
    return one.kind === 'unix' && other.kind === 'unix' && one.path === other.path
  }
  if (one.port !== other.port || one.port === 0) return false
  return isEverywhere(one.host) || isEverywhere(other.host) || one.host === other.host
}

function isEverywhere(host: string | undefined): boolean {
  return host === undefined || host === '0.0.0.0' || host === '::'
}
