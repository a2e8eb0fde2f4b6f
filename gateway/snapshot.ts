import type { SecretReader } from '../adapters/keys/port.ts'
import { createRouter } from '../catalog/index.ts'
import { createGuard, type CedarEngine, type CedarReader } from '../policy/index.ts'
import type { AccessTokens } from './access-tokens.ts'
import { loadConfig, readSecrets, type Config, type SnapshotLoaded } from './config/index.ts'
import { createKeyRing } from './keyring.ts'
import { putPersonKeys, type PersonKey } from './persons/put.ts'
import type { Snapshot } from './ports.ts'

/** What a snapshot is made with. */
export interface SnapshotParts {
  /** Relative file names in a configuration start from its own folder. */
  reader(config: Config): SecretReader
  /** Those of all configurations. */
  readonly accessTokens: AccessTokens
  /** Gives a fresh instance of the engine, which reads the guardrails. */
  readonly loadCedar: () => CedarReader
  /** Judges by them. */
  readonly cedar: CedarEngine
}

/** Loads a configuration and all that is made of it: whole, or not at all with every problem that was found. */
export async function loadSnapshot(
  options: Parameters<typeof loadConfig>[0],
  { reader, accessTokens, loadCedar, cedar }: SnapshotParts,
): Promise<SnapshotLoaded<Snapshot>> {
  const loaded = loadConfig({ ...options, loadCedar })
  if (!loaded.ok) return loaded
  const { config } = loaded
  const read = await readSecrets(config, reader(config))
  if (!read.ok) return read
  const { secrets } = read
  return {
    ok: true,
    snapshot: {
      ...keyed({ config, secrets }, [], accessTokens),
      router: createRouter(config.catalog),
      guard: createGuard(config.guardrails.guardrails, cedar),
    },
  }
}

/** The snapshot with the keys that persons have stored, in place of those that it had of them. */
export function withPersonKeys(snapshot: Snapshot, stored: readonly PersonKey[]): Snapshot {
  return { ...snapshot, ...keyed(snapshot.written, stored, snapshot.keyring.accessTokens) }
}

function keyed(
  written: Snapshot['written'],
  stored: readonly PersonKey[],
  accessTokens: AccessTokens,
): Pick<Snapshot, 'written' | 'config' | 'secrets' | 'keyring'> {
  const put = putPersonKeys(written, stored)
  return { written, ...put, keyring: createKeyRing(written.config, put, accessTokens) }
}
