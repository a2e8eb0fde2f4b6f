import type { Clock } from '../../adapters/clock/port.ts'
import type { Secret } from '../../adapters/keys/port.ts'
import type { Persons } from '../../adapters/persons/port.ts'
import type { ConfigHolder } from '../config/index.ts'
import type { Snapshot } from '../ports.ts'
import { withPersonKeys } from '../snapshot.ts'
import { StartProblem } from '../start-problem.ts'

const REPAIR =
  'name the key under which it was stored; or move `db/persons.sqlite` away, and store all keys anew'

/** The upstream keys that persons have of their own. */
export interface PersonKeys {
  /** Whether the configuration has a key under which they can be stored. */
  usable(): boolean
  /** Names of the personal keys of the configuration in force. */
  names(): readonly string[]
  /** Stores a key; calls that begin once it resolves are made with it. */
  store(key: {
    readonly person: string
    readonly name: string
    readonly value: string
  }): Promise<void>
}

export interface PersonKeysParts {
  readonly persons: Persons
  readonly holder: ConfigHolder<Snapshot>
  readonly clock: Clock
  /** Makes a secret of a text. */
  readonly wrap: (name: string, value: string) => Secret
}

/**
 * Puts the stored keys into the snapshot, now and after every change.
 * @throws StartProblem where a stored key cannot be opened
 */
export async function openPersonKeys(parts: PersonKeysParts): Promise<PersonKeys> {
  const { persons, holder, clock, wrap } = parts
  const refresh = async () => {
    const stored = await persons.keys()
    holder.derive((loaded) => withPersonKeys(loaded, stored))
  }
  await refresh().catch((error: unknown) => {
    const got = error instanceof Error ? error.message : String(error)
    throw new StartProblem([{ path: 'persons.key', got, repair: REPAIR }])
  })
  return {
    usable: () => holder.current().config.persons.key !== undefined,
    names: () =>
      holder
        .current()
        .written.config.upstreams.flatMap(({ keys }) => keys)
        .filter(({ secret }) => secret === undefined)
        .map(({ name }) => name),
    async store({ person, name, value }) {
      await persons.putKey({ person, name, secret: wrap(name, value) }, clock.now())
      await refresh()
    },
  }
}
