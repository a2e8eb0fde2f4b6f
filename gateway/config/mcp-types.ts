import type { SecretSource } from '../../adapters/keys/port.ts'
import type { Origin } from '../../adapters/upstream/port.ts'
import type { Keep } from '../../catalog/index.ts'

/** A server of tools, whose tools are rows. */
export interface McpServerConfig {
  readonly name: string
  /** First part of its rows' names: `TRACKER`. */
  readonly prefix: string
  /** Undefined keeps what is kept of any row. */
  readonly keep: Keep | undefined
  readonly way: McpWay
}

/** How a server is reached. */
export type McpWay =
  | {
      readonly kind: 'url'
      readonly url: string
      readonly origin: Origin
      /** Name of a key of the upstream that lists the host; undefined where it is asked without. */
      readonly key: string | undefined
    }
  | {
      readonly kind: 'command'
      /** Program and arguments. */
      readonly command: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly secretEnv: Readonly<Record<string, SecretSource>>
    }

/** Under which name a variable of a server's environment is kept among the secrets. */
export function mcpSecretName(server: string, variable: string): string {
  // A colon is in no key's name, so that the kinds never meet.
  return `mcp:env:${server}:${variable}`
}

/** What stands for a server that is a program among the upstreams: no upstream has a colon in its name. */
export function mcpUpstreamName(server: string): string {
  return `mcp:${server}`
}
