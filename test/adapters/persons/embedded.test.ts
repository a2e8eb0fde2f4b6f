import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { SecretText } from '../../../adapters/keys/secret.ts'
import { openEmbeddedPersons } from '../../../adapters/persons/embedded.ts'
import { makeFolder } from '../ledger/rig.ts'

const NOW = Date.parse('2026-11-29T12:00:00Z')
const VALUE = 'sk-alice-0123456789'
const SEAL = 'a-seal-of-32-bytes-or-more-for-this-test'

function open(t: Test, file: string, seal: string | undefined = SEAL) {
  const persons = openEmbeddedPersons({
    file,
    key: seal === undefined ? undefined : new SecretText('seal', seal),
    wrap: (name, value) => new SecretText(name, value),
  })
  t.teardown(() => persons.close())
  return persons
}

const fileIn = (t: Test) => join(makeFolder(t), 'persons.sqlite')
const keyOf = (person: string, name: string, value = VALUE) => {
  return { person, name, secret: new SecretText(name, value) }
}

t.test('persons are made once and listed with the names of their keys', async (t) => {
  const persons = open(t, fileIn(t))
  t.equal(await persons.create('bob', NOW), true)
  t.equal(await persons.create('alice', NOW), true)
  t.equal(await persons.create('alice', NOW), false)
  for (const name of ['z-key', 'a-key', 'z-key']) await persons.putKey(keyOf('alice', name), NOW)
  const created = '2026-11-29T12:00:00.000Z'
  const alice = { id: 'alice', created, keys: ['a-key', 'z-key'] }
  t.strictSame(await persons.list(), [alice, { id: 'bob', created, keys: [] }])
  t.strictSame(await persons.get('alice'), alice)
  t.equal(await persons.get('carol'), undefined)
  await t.rejects(persons.putKey(keyOf('carol', 'a-key'), NOW), /FOREIGN KEY/)
})

t.test(
  'a key comes out as it went in, the last one under a name, after a restart too',
  async (t) => {
    const file = fileIn(t)
    const first = open(t, file)
    await first.create('alice', NOW)
    await first.putKey(keyOf('alice', 'k', 'an-earlier-key-012345'), NOW)
    await first.putKey(keyOf('alice', 'k'), NOW)
    const [key, ...others] = await open(t, file).keys()
    t.equal(others.length, 0)
    t.match(key, { person: 'alice', name: 'k' })
    t.equal(key?.secret.reveal(), VALUE)
  },
)

t.test('no value lies in the file, and the same one is never sealed the same', async (t) => {
  const file = fileIn(t)
  const persons = open(t, file)
  await persons.create('alice', NOW)
  for (const name of ['a', 'b']) await persons.putKey(keyOf('alice', name), NOW)
  const bytes = [file, `${file}-wal`].map((path) => readFileSync(path, 'latin1')).join('')
  t.ok(bytes.includes('alice'), 'it was looked into')
  t.notOk(bytes.includes(VALUE.slice(0, 8)))
  const [one, other] = new Database(file, { readonly: true })
    .prepare<[], Buffer>('SELECT sealed FROM person_keys')
    .pluck()
    .all()
  t.not(one?.toString('hex'), other?.toString('hex'))
})

t.test('a key that was moved, changed or sealed under another key does not open', async (t) => {
  const changes: Readonly<Record<string, string>> = {
    'to another person': "UPDATE person_keys SET person = 'bob'",
    'to another name': "UPDATE person_keys SET name = 'other'",
    'in its last bit':
      "UPDATE person_keys SET sealed = CAST(substr(sealed, 1, length(sealed) - 1) || x'00' AS BLOB)",
    'in its first bit': "UPDATE person_keys SET sealed = CAST(x'00' || substr(sealed, 2) AS BLOB)",
    'cut off': 'UPDATE person_keys SET sealed = substr(sealed, 1, 20)',
  }
  for (const [says, sql] of Object.entries(changes)) {
    const file = fileIn(t)
    const persons = open(t, file)
    for (const id of ['alice', 'bob']) await persons.create(id, NOW)
    await persons.putKey(keyOf('alice', 'k'), NOW)
    t.equal((await persons.keys()).length, 1)
    new Database(file).exec(sql)
    await t.rejects(persons.keys(), /key `\w+` of `\w+` cannot be opened/, says)
    await t.rejects(open(t, file, `${SEAL}!`).keys(), /cannot be opened/, 'another key')
  }
})

t.test('without a key nothing is stored, and what is stored is not passed over', async (t) => {
  const file = fileIn(t)
  const sealed = open(t, file)
  await sealed.create('alice', NOW)
  await sealed.putKey(keyOf('alice', 'k'), NOW)
  const bare = openEmbeddedPersons({ file, key: undefined, wrap: (n, v) => new SecretText(n, v) })
  t.teardown(() => bare.close())
  await t.rejects(bare.putKey(keyOf('alice', 'k'), NOW), /set persons\.key/)
  await t.rejects(bare.keys(), /set persons\.key/)
})
