import type { Secret, SecretReader } from '../adapters/keys/port.ts'
import { createRouter } from '../catalog/index.ts'
import { createGuard, type CedarEngine, type CedarReader } from '../policy/index.ts'
import { loadConfig, readSecrets, type Config, type SnapshotLoaded } from './config/index.ts'
import { createKeyRing } from './keyring.ts'
import { putPersonKeys, type PersonKey } from './persons/put.ts'
import type { Snapshot } from './ports.ts'

/** What a snapshot is made with. */
export interface SnapshotParts {
  /** Relative file names in a configuration start from its own folder. */
  reader(config: Config): SecretReader
  /** Makes a secret of a text that was got on the way, such as an access token. */
  readonly wrap: (name: string, value: string) => Secret
  /** Gives a fresh instance of the engine, which reads the guardrails. */
  readonly loadCedar: () => CedarReader
  /** Judges by them. */
  readonly cedar: CedarEngine
}

/** Loads a configuration and all that is made of it: whole, or not at all with every problem that was found. */
export async function loadSnapshot(
  options: Parameters<typeof loadConfig>[0],
  { reader, wrap, loadCedar, cedar }: SnapshotParts,
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
      ...keyed({ config, secrets }, [], wrap),
      router: createRouter(config.catalog),
      guard: createGuard(config.guardrails.guardrails, cedar),
    },
  }
}

/** The snapshot with the keys that persons have stored, in place of those that it had of them. */
export function withPersonKeys(
  snapshot: Snapshot,
  stored: readonly PersonKey[],
  wrap: SnapshotParts['wrap'],
): Snapshot {
  return { ...snapshot, ...keyed(snapshot.written, stored, wrap) }
}

function keyed(
  written: Snapshot['written'],
  stored: readonly PersonKey[],
  wrap: SnapshotParts['wrap'],
): Pick<Snapshot, 'written' | 'config' | 'secrets' | 'keyring'> {
  const { config, secrets } = putPersonKeys(written, stored)
  return { written, config, secrets, keyring: createKeyRing(config, secrets, wrap) }
}
