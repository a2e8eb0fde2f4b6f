import { isDeepStrictEqual } from 'node:util'
import type { Config, Problem } from './types.ts'

export type ReloadResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly problems: readonly Problem[] }

export type SnapshotLoaded<S> =
  | { readonly ok: true; readonly snapshot: S }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** The configuration in force, with all that was made of it. */
export interface ConfigHolder<S> {
  /** Take it once for a call and keep it to the call's end. */
  current(): S
  /** Loads anew and changes over at once; where anything is wrong the old one stays whole. */
  reload(): Promise<ReloadResult>
  /** Puts into every snapshot, this one and later ones, what does not come from the configuration. */
  derive(change: (loaded: S) => S): void
}

/** Reloads follow one another: a second one begins when the first has ended. */
export function createConfigHolder<S extends { readonly config: Config }>(
  initial: S,
  load: () => Promise<SnapshotLoaded<S>>,
): ConfigHolder<S> {
  let loadedLast = initial
  let derived = (snapshot: S): S => snapshot
  let current = initial
  let last: Promise<unknown> = Promise.resolve()
  const reload = async (): Promise<ReloadResult> => {
    const loaded = await load()
    if (!loaded.ok) return loaded
    const problems = needRestart(loadedLast.config, loaded.snapshot.config)
    if (problems.length > 0) return { ok: false, problems }
    current = derived(loaded.snapshot)
    loadedLast = loaded.snapshot
    return { ok: true }
  }
  return {
    current: () => current,
    derive(change) {
      current = change(loadedLast)
      derived = change
    },
    reload() {
      const next = last.then(reload)
      last = next.catch(() => undefined)
      return next
    },
  }
}

type Fixed = readonly [path: string, pick: (config: Config) => unknown]

// What is opened once at the start and cannot be changed under running calls.
const FIXED: readonly Fixed[] = [
  ['state', (config) => config.state],
  ['listen.proxy', (config) => config.listen.proxy],
  ['listen.owner', (config) => config.listen.owner],
  ['owner_key', (config) => config.ownerKey],
  ['persons.key', (config) => config.persons.key],
  ['grant_label', (config) => config.grantLabel],
  ['grants', ({ grants: { driver, url, staleMs } }) => ({ driver, url, staleMs })],
  ['ledger', (config) => config.ledger],
  ['store', (config) => config.store],
]

function needRestart(old: Config, fresh: Config): readonly Problem[] {
  return FIXED.filter(([, pick]) => !isDeepStrictEqual(pick(old), pick(fresh))).map(([path]) => ({
    path,
    got: 'a change while running',
    repair: 'restart the gateway to change it',
  }))
}
