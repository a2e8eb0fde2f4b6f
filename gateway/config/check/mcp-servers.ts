import { absoluteTarget } from '../../../catalog/index.ts'
import type { ConfigFiles } from '../files.ts'
import { hideGot, showGot } from '../got.ts'
import type { KeyUse } from '../key-types.ts'
import type { McpServerConfig, McpWay } from '../mcp-types.ts'
import type { RawMcpServer } from '../raw.ts'
import type { Report } from '../report.ts'
import type { UpstreamConfig } from '../types.ts'
import { covers } from './hosts.ts'
import { buildSecret } from './secret.ts'

interface Context {
  readonly at: string
  readonly upstreams: readonly UpstreamConfig[]
  readonly files: ConfigFiles
  readonly report: Report
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Of rows that are not theirs. */
const TAKEN: readonly string[] = ['HTTP', 'STORE']
/** Keys that stand in the head of every request, whatever it says. */
const FIT: readonly KeyUse['kind'][] = ['header', 'basic']

/** All servers of tools; none is started or asked for anything. */
export function buildMcpServers(
  raw: readonly RawMcpServer[] | undefined,
  around: Omit<Context, 'at'>,
): readonly McpServerConfig[] {
  const { report } = around
  const names = new Set<string>()
  const prefixes = new Set(TAKEN)
  return report.items('mcp_servers', raw, (server, at) => {
    if (names.has(server.name))
      report.add(`${at}.name`, `${showGot(server.name)} a second time`, 'give it another name')
    names.add(server.name)
    claimPrefix(server.prefix, prefixes, { at: `${at}.prefix`, report })
    const way = report.field(at, server, () => buildWay(server, { ...around, at }))
    if (way === undefined) return undefined
    const { name, prefix, keep } = server
    return { name, prefix, keep, way }
  })
}

/** Of `A` and `A_B` both could have the row `A_B_C`. */
function claimPrefix(
  prefix: string,
  taken: Set<string>,
  { at, report }: Pick<Context, 'at' | 'report'>,
): void {
  const meets = [...taken].find(
    (other) => `${other}_`.startsWith(`${prefix}_`) || `${prefix}_`.startsWith(`${other}_`),
  )
  if (meets !== undefined)
    report.add(at, `${showGot(prefix)}, which meets \`${meets}\``, 'choose another prefix')
  taken.add(prefix)
}

function buildWay(raw: RawMcpServer, context: Context): McpWay | undefined {
  const { at, report } = context
  const { url, command } = raw
  if ((url === undefined) === (command === undefined)) {
    const got = url === undefined ? 'none of them' : 'url and command'
    report.add(at, got, 'set exactly one of: url, command')
    return undefined
  }
  const foreign = url === undefined ? (['key'] as const) : (['env', 'secret_env'] as const)
  const own = url === undefined ? 'command' : 'url'
  for (const key of foreign)
    if (raw[key] !== undefined)
      report.add(`${at}.${key}`, `${key} beside \`${own}\``, 'remove it: it goes with the other')
  return url === undefined ? buildCommand(raw, context) : buildUrl(url, raw, context)
}

function buildUrl(url: string, { key }: RawMcpServer, context: Context): McpWay | undefined {
  const { at, report } = context
  const target = absoluteTarget(url)
  if (!target.ok || url.includes('#')) {
    const why = target.ok ? 'it has a fragment' : target.reason
    report.add(`${at}.url`, hideGot(url), `${why}; write it like \`https://mcp.example.com/mcp\``)
    return undefined
  }
  const { scheme, host, port, path } = target
  const origin = { scheme, host, port }
  if (key !== undefined) checkKey(key, origin, { ...context, at: `${at}.key` })
  return { kind: 'url', url: new URL(path, url).href, origin, key }
}

/** One session serves all holders, so that its key is nobody's own, and stands in every request. */
function checkKey(
  name: string,
  { host, port }: { readonly host: string; readonly port: number },
  { at, upstreams, report }: Context,
): void {
  const upstream = upstreams.find(({ keys }) => keys.some((key) => key.name === name))
  const key = upstream?.keys.find((one) => one.name === name)
  if (upstream === undefined || key === undefined) {
    report.add(at, showGot(name), 'name a key of the upstream that lists the host')
  } else if (!upstream.hosts.some((pattern) => covers(pattern, host, port))) {
    const got = `${showGot(name)}, which is bound to \`${upstream.name}\``
    report.add(at, got, `list the host \`${host}\` in that upstream`)
  } else if (key.secret === undefined || key.person !== undefined || !FIT.includes(key.use.kind)) {
    const got = `${showGot(name)}, which is a person’s or stands in no field of the head`
    report.add(at, got, 'name a key with `header` or `basic_user` that is everybody’s')
  }
}

function buildCommand(raw: RawMcpServer, { at, files, report }: Context): McpWay {
  const { command = [], env = {}, secret_env: secrets = {} } = raw
  for (const [key, names] of [
    ['env', Object.keys(env)],
    ['secret_env', Object.keys(secrets)],
  ] as const)
    for (const name of names) {
      if (!VARIABLE.test(name))
        report.add(`${at}.${key}`, showGot(name), 'write the name of a variable')
      else if (key === 'env' && Object.hasOwn(secrets, name))
        report.add(`${at}.env.${name}`, 'the same in secret_env', 'write it once')
    }
  const secretEnv = Object.entries(secrets).map(([name, source]) => [
    name,
    buildSecret(source, files),
  ])
  return { kind: 'command', command, env, secretEnv: Object.fromEntries(secretEnv) }
}
