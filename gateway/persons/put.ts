import type { PersonKey } from '../../adapters/persons/port.ts'
import type { KeyBinding } from '../config/key-types.ts'
import type { Resolvable } from '../config/resolve.ts'

export type { PersonKey }

/**
 * Makes of each personal key one key for every person who stored theirs, like those that the configuration gives to a
 * person; nobody else's calls get them. A key that was stored under a name that is no longer configured goes nowhere.
 */
export function putPersonKeys(
  { config, secrets }: Resolvable,
  stored: readonly PersonKey[],
): Resolvable {
  const own = stored.map(({ person, name, secret }) => [nameOf(person, name), secret] as const)
  const keysOf = (key: KeyBinding): readonly KeyBinding[] =>
    key.secret === undefined
      ? stored
          .filter(({ name }) => name === key.name)
          .map(({ person, name }) => ({
            ...key,
            name: nameOf(person, name),
            personal: name,
            person,
          }))
      : [key]
  const upstreams = config.upstreams.map((upstream) => ({
    ...upstream,
    keys: upstream.keys.flatMap(keysOf),
  }))
  return { config: { ...config, upstreams }, secrets: new Map([...secrets, ...own]) }
}

/** As receipts show it. An `@` is in no name of a key, so that it never meets a configured one. */
function nameOf(person: string, key: string): string {
  return `${key}@${person}`
}
