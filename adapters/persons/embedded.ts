import Database from 'better-sqlite3'
import type { Secret } from '../keys/port.ts'
import type { Person, PersonKey, Persons } from './port.ts'
import { createSeal, type Seal } from './seal.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS persons (id TEXT PRIMARY KEY, created TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS person_keys (
    person TEXT NOT NULL REFERENCES persons (id), name TEXT NOT NULL, sealed BLOB NOT NULL, stored TEXT NOT NULL,
    PRIMARY KEY (person, name)
  ) STRICT;
`

const SELECT = `
  SELECT id, created, json_group_array(name ORDER BY name) FILTER (WHERE name IS NOT NULL) AS keys
  FROM persons LEFT JOIN person_keys ON person = id
`

interface PersonRow {
  readonly id: string
  readonly created: string
  readonly keys: string
}

interface KeyRow {
  readonly person: string
  readonly name: string
  readonly sealed: Buffer
}

/** Persons in an SQLite file; a key's value lies there sealed, bound to the names of its person and itself. */
export function openEmbeddedPersons(options: {
  readonly file: string
  /** Undefined where no key can be stored or opened. */
  readonly key: Secret | undefined
  /** Wraps an opened value. */
  readonly wrap: (name: string, value: string) => Secret
}): Persons {
  const { file, key, wrap } = options
  const db = new Database(file, { timeout: 2000 })
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.exec(SCHEMA)
  const seal = key === undefined ? undefined : createSeal(key)
  const add = db.prepare('INSERT OR IGNORE INTO persons VALUES (?, ?)')
  const put = db.prepare('INSERT OR REPLACE INTO person_keys VALUES (?, ?, ?, ?)')
  return {
    create: async (id, now) => add.run(id, new Date(now).toISOString()).changes === 1,
    async get(id) {
      const row = db.prepare<[string], PersonRow>(`${SELECT} WHERE id = ? GROUP BY id`).get(id)
      return row && personOf(row)
    },
    list: async () =>
      db.prepare<[], PersonRow>(`${SELECT} GROUP BY id ORDER BY id`).all().map(personOf),
    async putKey({ person, name, secret }, now) {
      const sealed = sealOrThrow(seal, file).close(secret.reveal(), [person, name])
      put.run(person, name, sealed, new Date(now).toISOString())
    },
    async keys() {
      const rows = db.prepare<[], KeyRow>('SELECT person, name, sealed FROM person_keys').all()
      return rows.map((row): PersonKey => {
        const { person, name } = row
        return { person, name, secret: wrap(`${name}@${person}`, opened(row, seal, file)) }
      })
    },
    close: async () => void db.close(),
  }
}

function personOf({ id, created, keys }: PersonRow): Person {
  return { id, created, keys: JSON.parse(keys) as string[] }
}

function opened({ person, name, sealed }: KeyRow, seal: Seal | undefined, file: string): string {
  const open = sealOrThrow(seal, file)
  try {
    return open.open(sealed, [person, name])
  } catch (cause) {
    throw new Error(
      `persons ${file}: key \`${name}\` of \`${person}\` cannot be opened; it was sealed under another key, or changed`,
      { cause },
    )
  }
}

function sealOrThrow(seal: Seal | undefined, file: string): Seal {
  if (seal !== undefined) return seal
  throw new Error(`persons ${file}: there is no key to seal with; set persons.key`)
}
