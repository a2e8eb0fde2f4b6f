import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Network } from './netns.ts'
import { run, startServer } from './processes.ts'

/** The key that the gateway holds for every upstream of the rig. */
export const KEY = 'rig-key-7f3a9c51d2e84b60'

/** Whose key it is, at the upstream that wants signatures. */
export const AWS_KEY_ID = 'AKIARIGGATEWAY'

/** What `narrowgate ledger list --json` says of one exchange, as far as tests look at it. */
export interface Receipt {
  readonly id: string
  /** When the call came; ISO 8601, in UTC. */
  readonly opened: string
  readonly door: string
  readonly outcome: string
  readonly grant?: string
  readonly upstream?: { readonly method?: string; readonly url?: string }
  readonly reasons?: readonly { readonly axis?: string }[]
}

/** The product as its user has it: built, started by its command line, in the gateway's namespace. */
export interface Gateway {
  readonly state: string
  /** A new token: `mint('--tools', 'HTTP_*')`. */
  mint(...options: readonly string[]): Promise<string>
  /** The variables that `narrowgate env` prints for this token. */
  environment(token: string): Promise<Readonly<Record<string, string>>>
  /** Makes a browser's NSS store in this folder, with the gateway's authority in it. */
  trustIn(folder: string): Promise<void>
  /** The latest thousand. */
  receipts(): Promise<readonly Receipt[]>
  log(): string
  stop(): Promise<void>
}

const PROGRAM = join(import.meta.dirname, '../../dist/cli/main.js')
const PROXY_PORT = 3128
const BEARER_SITES = [
  'api',
  'cluster',
  'crates',
  'debian',
  'git',
  'github',
  'images',
  'mcp',
  'npm',
  'openai',
  'pypi',
  'svn',
  'ws',
] as const

/** Starts a gateway in `folder`, in front of the rig's upstreams, whose authority is in `authorityFile`. */
export async function startGateway(
  network: Network,
  folder: string,
  authorityFile: string,
): Promise<Gateway> {
  const state = join(folder, 'state')
  const config = join(folder, 'narrowgate.yaml')
  writeFileSync(config, stringify(configuration(network, authorityFile)))
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    RIG_KEY: KEY,
    RIG_KEY_ID: AWS_KEY_ID,
  }
  const argv = (...args: readonly string[]): readonly string[] =>
    network.inside('gateway', [process.execPath, PROGRAM, ...args])
  const ask = async (...args: readonly string[]): Promise<string> => {
    const done = await run(argv(...args, '--state', state), { env })
    if (done.code !== 0) throw new Error(`narrowgate ${args.join(' ')}: ${done.output}`)
    return done.stdout.trim()
  }
  const server = await startServer(argv('serve', '--config', config, '--state', state), { env })
  return {
    state,
    mint: async (...options) => (await ask('grant', 'mint', ...options)).split('\n').at(-1) ?? '',
    async environment(token) {
      const text = await ask('env', '--config', config, '--token', token, '--format', 'json')
      return JSON.parse(text) as Record<string, string>
    },
    async trustIn(nssdb) {
      await ask('ca', 'install', '--nssdb', nssdb)
    },
    async receipts() {
      const text = await ask('ledger', 'list', '--json', '--limit', '1000')
      return JSON.parse(text) as readonly Receipt[]
    },
    log: () => server.log(),
    stop: () => server.stop(),
  }
}

function configuration(network: Network, authorityFile: string): object {
  const secure = { address: `${network.upstreamHost}:443`, ca: [authorityFile] }
  const bearer = { secret: { env: 'RIG_KEY' }, header: 'authorization', format: 'Bearer {}' }
  return {
    listen: { proxy: `${network.proxyHost}:${PROXY_PORT}`, owner: '127.0.0.1:3129' },
    upstreams: [
      {
        ...secure,
        name: 'bearer',
        hosts: BEARER_SITES.map((site) => `${site}.ng.test`),
        keys: [{ ...bearer, name: 'bearer' }],
      },
      {
        ...secure,
        name: 'anthropic',
        hosts: ['anthropic.ng.test'],
        keys: [{ name: 'anthropic', secret: { env: 'RIG_KEY' }, header: 'x-api-key' }],
      },
      {
        ...secure,
        name: 's3',
        hosts: ['s3.ng.test', '*.s3.ng.test'],
        keys: [
          {
            name: 's3',
            secret: { env: 'RIG_KEY' },
            sigv4: { access_key_id: { env: 'RIG_KEY_ID' }, region: 'us-east-1', service: 's3' },
          },
        ],
      },
      {
        name: 'plain',
        hosts: ['plain.ng.test:80'],
        address: `${network.upstreamHost}:80`,
        keys: [{ ...bearer, name: 'plain' }],
      },
    ],
  }
}
