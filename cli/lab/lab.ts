import { randomBytes } from 'node:crypto'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway, type Gateway } from '../../gateway/main.ts'
import { createAuthority } from '../../gateway/tls/authority.ts'
import { announceGateway } from '../../sidecar/gateway-file.ts'
import { startLabApi, type LabApi } from './api.ts'
import { CLIENT_SCRIPT } from './client.ts'

/** The name under which agents know the lab's API; it exists in no DNS. */
export const LAB_HOST = 'api.demo.test'

/** A whole installation in a temporary folder: a gateway, and an HTTPS API with a CA of its own behind it. */
export interface Lab {
  /** Holds narrowgate.yaml, `state`, and `bin` with a `narrowgate` command. */
  readonly folder: string
  readonly state: string
  readonly gateway: Gateway
  readonly api: LabApi
  /** The key that the gateway puts in; nothing else may ever show it. */
  readonly key: string
  /** The environment of commands in the lab: `narrowgate` is on PATH and means this lab. */
  readonly env: Readonly<Record<string, string | undefined>>
  stop(): Promise<void>
}

/** JSON is YAML, so that no value has to be quoted by hand. */
function configuration(api: LabApi): string {
  return JSON.stringify(
    {
      listen: { proxy: '127.0.0.1:0', owner: '127.0.0.1:0' },
      upstreams: [
        {
          name: 'demo-api',
          hosts: [LAB_HOST],
          address: api.address,
          ca: ['./upstream-ca/ca.pem'],
          keys: [
            {
              name: 'demo-key',
              secret: { file: './demo.key' },
              header: 'authorization',
              format: 'Bearer {}',
            },
          ],
        },
      ],
      log: { level: 'silent' },
    },
    null,
    2,
  )
}

/** A command that runs this very program, from source or compiled. */
function shim(): string {
  const main = new URL(
    import.meta.url.endsWith('.ts') ? '../main.ts' : '../main.js',
    import.meta.url,
  )
  const flags = import.meta.url.endsWith('.ts') ? `--import '${import.meta.resolve('tsx')}'` : ''
  return `#!/bin/sh\nexec '${process.execPath}' ${flags} '${main.pathname}' "$@"\n`
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(folder, 'bin'))
  for (const [name, content] of Object.entries(files)) {
    const mode = name.startsWith('bin/') ? 0o755 : 0o600
    await writeFile(join(folder, name), content, { mode })
  }
}

/** Starts the lab. Whoever starts it stops it; the folder is then removed. */
export async function startLab(env: Lab['env']): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'narrowgate-lab-'))
  const authority = await createAuthority({
    folder: join(folder, 'upstream-ca'),
    clock: { now: () => Date.now() },
  })
  const api = await startLabApi(await authority.leaf(LAB_HOST))
  const key = `demo-${randomBytes(18).toString('base64url')}`
  await writeFiles(folder, {
    'narrowgate.yaml': configuration(api),
    'demo.key': key,
    'client.mjs': CLIENT_SCRIPT,
    'bin/narrowgate': shim(),
  })
  const state = join(folder, 'state')
  const gateway = await startGateway({ configFile: join(folder, 'narrowgate.yaml'), state })
  announceGateway(state, { pid: process.pid, ...gateway.addresses })
  return {
    folder,
    state,
    gateway,
    api,
    key,
    env: {
      ...env,
      PATH: `${join(folder, 'bin')}:${env['PATH'] ?? ''}`,
      NARROWGATE_STATE: state,
    },
    async stop() {
      await gateway.stop()
      await api.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
