import type { SecretSource } from '../adapters/keys/port.ts'
import type { Config } from '../gateway/config/index.ts'

type Environment = Readonly<Record<string, string | undefined>>

function variableOf(source: SecretSource | undefined): readonly string[] {
  return source !== undefined && 'env' in source ? [source.env] : []
}

/** Variables from which the gateway takes its keys. */
function secretVariables(config: Config): readonly string[] {
  const upstreams = config.upstreams.flatMap(({ keys, proxy }) => [
    ...keys.map(({ secret }) => secret),
    proxy?.password,
  ])
  const sources = [
    ...(config.buildKeys ?? []),
    config.ownerKey,
    config.proxy?.password,
    ...upstreams,
  ]
  return ['NARROWGATE_BUILD_KEY', ...sources.flatMap(variableOf)]
}

/**
 * The operator's environment as the command may see it: without the variables that hold keys, since
 * an agent that can read the key needs no gateway. Names what was withheld.
 */
export function withoutSecrets(
  env: Environment,
  config: Config,
): { readonly env: Environment; readonly withheld: readonly string[] } {
  const withheld = [...new Set(secretVariables(config))].filter((name) => env[name] !== undefined)
  const left = Object.entries(env).filter(([name]) => !withheld.includes(name))
  return { env: Object.fromEntries(left), withheld }
}
