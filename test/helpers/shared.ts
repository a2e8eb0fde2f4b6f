import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { statePaths } from '../../gateway/state/paths.ts'
import { createBuildKey, mintToken } from '../../policy/index.ts'
import { startChild } from './child.ts'
import type { ChildGateway } from './child.ts'
import type { Setup } from './gateway.ts'

/** Gateways in processes of their own, with one build key and one database of grants. */
export interface Shared {
  readonly gateways: readonly ChildGateway[]
  /** The text of the build key. */
  readonly key: string
  /** Gives the token, and under which id. */
  mint(...lines: readonly string[]): { readonly id: string; readonly token: string }
}

/** Starts a gateway for each set-up; they end with the test. */
export async function startShared(t: Test, url: string, setups: readonly Setup[]): Promise<Shared> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-shared-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'build.key')
  const key = randomBytes(32).toString('base64url')
  writeFileSync(file, key, { mode: 0o600 })
  const config = {
    build_keys: [{ file }],
    grants: { driver: 'postgres', url: { env: 'GRANTS_URL' } },
  }
  const env = { GRANTS_URL: url }
  const start = (setup: Setup) =>
    startChild(t, { ...setup, config: { ...config, ...setup.config } }, { env })
  return {
    gateways: await Promise.all(setups.map(start)),
    key,
    mint(...lines) {
      const id = `grant-${randomBytes(6).toString('hex')}`
      return { id, token: mintToken(createBuildKey(key), id, lines) }
    },
  }
}

/** Revokes at the owner's door of a gateway; resolves with the answer's status. */
export function revokeAt({ ownerPort, state }: ChildGateway, idOrLink: string): Promise<number> {
  const key = readFileSync(statePaths(state).ownerKey, 'utf8').trim()
  const path = `/api/grants/${encodeURIComponent(idOrLink)}/revoke`
  const options = { host: '127.0.0.1', port: ownerPort, path, method: 'POST', agent: false }
  return new Promise((resolve, reject) => {
    const req = request({ ...options, headers: { 'x-narrowgate-key': key } }, (res) => {
      res.resume()
      res.once('end', () => resolve(res.statusCode ?? 0))
    })
    req.once('error', reject).end()
  })
}
