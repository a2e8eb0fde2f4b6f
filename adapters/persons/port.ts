import type { Secret } from '../keys/port.ts'

/** Somebody who can sign in, and whose upstream keys can be used. */
export interface Person {
  readonly id: string
  /** RFC 3339. */
  readonly created: string
  /** Names of the upstream keys that are stored for the person, sorted. */
  readonly keys: readonly string[]
}

/** An upstream key that is one person's own. */
export interface PersonKey {
  readonly person: string
  /** Name of the key in the configuration. */
  readonly name: string
  readonly secret: Secret
}

/** Persons and their keys. No value of a key lies in the store in clear. */
export interface Persons {
  /** False: the id is taken. */
  create(id: string, now: number): Promise<boolean>
  get(id: string): Promise<Person | undefined>
  /** By id. */
  list(): Promise<readonly Person[]>
  /** Seals and stores a key in place of an earlier one of the name. Rejects where the store was opened without a key. */
  putKey(key: PersonKey, now: number): Promise<void>
  /** All keys, opened. Rejects, naming person and key, where one was sealed under another key or was changed. */
  keys(): Promise<readonly PersonKey[]>
  close(): Promise<void>
}
