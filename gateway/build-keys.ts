import type { SnapshotLoaded } from './config/index.ts'
import type { Snapshot } from './ports.ts'
import type { BuildKeysRead, State } from './state/open.ts'

/** A way to load the configuration that reads the build keys with it. */
export interface LoadWithKeys {
  load(): Promise<SnapshotLoaded<Snapshot>>
  /** The keys of the load before; undefined where there was none. */
  read(): State['buildKeys'] | undefined
}

/** Loads configuration and build keys anew: where one of either is wrong, none is taken over. */
export function loadWithKeys(
  load: () => Promise<SnapshotLoaded<Snapshot>>,
  readKeys: (config: Snapshot['config']) => Promise<BuildKeysRead>,
): LoadWithKeys {
  let last: State['buildKeys'] | undefined
  return {
    async load() {
      const loaded = await load()
      if (!loaded.ok) return loaded
      const keys = await readKeys(loaded.snapshot.config)
      if (!keys.ok) return keys
      last = keys.buildKeys
      return loaded
    },
    read: () => last,
  }
}
