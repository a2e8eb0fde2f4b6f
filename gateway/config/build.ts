import { LIMITS, limitsWith, type LimitName, type Limits } from '../limits.ts'
import { buildAliases } from './check/aliases.ts'
import { buildBuckets } from './check/buckets.ts'
import { buildCatalog } from './check/catalog.ts'
import { buildGuardrails } from './check/guardrails.ts'
import { buildGrants } from './check/grants.ts'
import { checkHeaders } from './check/headers.ts'
import { buildLedger } from './check/ledger.ts'
import { buildListen } from './check/listen.ts'
import { buildModels } from './check/models.ts'
import { buildMcpServers } from './check/mcp-servers.ts'
import { buildMounts } from './check/mounts.ts'
import { buildProxy } from './check/proxy.ts'
import { buildSecret } from './check/secret.ts'
import { buildUpstreams } from './check/upstreams.ts'
import type { CedarReader } from '../../policy/index.ts'
import type { ConfigFiles } from './files.ts'
import { deepFreeze } from './freeze.ts'
import { expandPath } from './paths.ts'
import type { RawConfig } from './raw.ts'
import type { Report } from './report.ts'
import type { Config, Overrides } from './types.ts'

export interface BuildContext {
  readonly env: NodeJS.ProcessEnv
  /** Folder that paths of the command line and the environment refer to. */
  readonly cwd: string
  readonly file: string | undefined
  readonly files: ConfigFiles
  readonly report: Report
  readonly overrides: Overrides | undefined
  /** Gives an instance of the engine that reads guardrails; without it always the same one. */
  readonly loadCedar: (() => CedarReader) | undefined
}

/** Makes the configuration of its written form. It is of use only where the report stays empty. */
export function buildConfig(raw: RawConfig, context: BuildContext): Config {
  const { file, files, report } = context
  const upstreams = buildUpstreams(raw.upstreams, files, report)
  const buckets = buildBuckets(raw.buckets, files, report)
  const named = buildCatalog(raw.catalog, upstreams, { files, report })
  const { models, rows } = buildModels(raw.models, named, report)
  checkHeaders(raw.headers, report)
  checkPersonal(raw, report)
  return deepFreeze({
    file,
    state: buildState(raw.state, context),
    listen: buildListen({ ...raw.listen, ...given(context.overrides?.listen) }, files, report),
    buildKeys:
      raw.build_keys &&
      report.items('build_keys', raw.build_keys, (key) => buildSecret(key, files)),
    ownerKey: report.field('owner_key', raw.owner_key, (key) => buildSecret(key, files)),
    owner: { keyHeaders: raw.owner?.key_headers, send: raw.owner?.send },
    persons: {
      key: report.field('persons.key', raw.persons?.key, (key) => buildSecret(key, files)),
      cookie: raw.persons?.cookie,
    },
    grantLabel: raw.grant_label,
    unknownHosts: raw.unknown_hosts,
    upstreams,
    mounts: buildMounts(raw.mounts, report),
    catalog: rows.length === 0 ? named : [...named, ...rows],
    aliases: buildAliases(raw.aliases, report),
    models,
    mcpServers: buildMcpServers(raw.mcp_servers, { upstreams, files, report }),
    guardrails: buildGuardrails(raw.guardrails, context),
    ways: { sshHost: raw.ways?.ssh_host, console: raw.ways?.console },
    doors: raw.doors,
    mcp: { toolsListed: raw.mcp?.tools_listed },
    grants: buildGrants(raw.grants, files, report),
    ledger: buildLedger(raw.ledger, { buckets, files, report }),
    store: {
      driver: raw.store?.driver,
      maxBytes: raw.store?.max_bytes,
      maxDays: raw.store?.max_days,
    },
    buckets,
    engine: raw.engine,
    limits: buildLimits(raw.limits),
    headers: raw.headers,
    log: raw.log,
    proxy: buildProxy(raw.proxy, { at: 'proxy', files, report }),
    version: files.version(),
  })
}

/** Keys that persons store lie sealed, or not at all. */
function checkPersonal({ upstreams, persons }: RawConfig, report: Report): void {
  if (persons?.key !== undefined) return
  report.items('upstreams', upstreams, ({ keys }, at) =>
    report.items(`${at}.keys`, keys, ({ personal }, where) => {
      if (personal === true)
        report.add(`${where}.personal`, '`true` without `persons.key`', 'set persons.key')
      return undefined
    }),
  )
}

/** `--state` comes before NARROWGATE_STATE, and both before the file. */
function buildState(raw: string, { cwd, env, files, overrides }: BuildContext): string {
  const outside = overrides?.state ?? (env['NARROWGATE_STATE'] || undefined)
  if (outside !== undefined) return expandPath(outside, cwd, env)
  return typeof raw === 'string' ? files.expand(raw) : ''
}

function given<T extends object>(
  values: T | undefined,
): Partial<{ [K in keyof T]: NonNullable<T[K]> }> {
  const entries = Object.entries(values ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<{ [K in keyof T]: NonNullable<T[K]> }>
}

function buildLimits(raw: Readonly<Record<string, number>> | undefined): Limits {
  const names = Object.keys(LIMITS) as LimitName[]
  return limitsWith(
    Object.fromEntries(names.map((name) => [name, raw?.[snakeCase(name)] ?? LIMITS[name].default])),
  )
}

/** `maxUrlBytes` is written `max_url_bytes`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
