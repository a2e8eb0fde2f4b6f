import t from 'tap'
import { PERSONS_KEY, readSecrets } from '../../../gateway/config/index.ts'
import { badConfig, goodConfig, readerOf } from './_config.ts'

const SEAL = 'persons: { key: { env: SEAL } }\n'
const upstream = (...keys: readonly string[]) =>
  `upstreams: [{ name: a, hosts: [a.test], keys: [${keys.map((key) => `{ ${key} }`).join(', ')}] }]\n`

t.test('a personal key is one without a secret of its own', async (t) => {
  const { upstreams, persons } = goodConfig(
    SEAL +
      upstream('name: k, personal: true, header: x-key', 'name: s, secret: { env: S }, header: x'),
  )
  t.match(upstreams[0]?.keys, [
    { name: 'k', secret: undefined },
    { name: 's', secret: { env: 'S' } },
  ])
  t.strictSame(persons, { key: { env: 'SEAL' }, cookie: 'narrowgate_session' })
})

t.test('every key has one source', async (t) => {
  for (const [key, path] of [
    ['name: k, header: x', 'secret'],
    ['name: k, personal: false, header: x', 'secret'],
    ['name: k, personal: true, secret: { env: S }, header: x', 'secret'],
    ['name: k, personal: true, person: alice, header: x', 'person'],
  ] as const)
    t.match(badConfig(SEAL + upstream(key)), [{ path: `upstreams[0].keys[0].${path}` }], key)
})

t.test('without a key to seal them, none can be personal', async (t) => {
  t.match(badConfig(upstream('name: k, personal: true, header: x')), [
    { path: 'upstreams[0].keys[0].personal', repair: 'set persons.key' },
  ])
})

t.test('a person’s key and everybody’s may not take the same place', async (t) => {
  const personal = 'name: k, personal: true, header: x'
  const of = (person: string) => `name: p, secret: { env: S }, ${person}header: x`
  for (const keys of [
    [personal, of('person: alice, ')],
    [of('person: alice, '), personal],
    [personal, 'name: l, personal: true, header: x'],
  ])
    t.match(badConfig(SEAL + upstream(...keys)), [{ path: 'upstreams[0].keys' }], keys.join('; '))
  t.ok(goodConfig(SEAL + upstream(personal, of(''))), 'a shared key goes with other tokens')
})

t.test('the sealing key is read with the secrets, and is long', async (t) => {
  const config = goodConfig(SEAL)
  const good = await readSecrets(config, readerOf({ SEAL: 's'.repeat(32) }))
  t.equal(good.ok && good.secrets.get(PERSONS_KEY)?.reveal(), 's'.repeat(32))
  t.match(await readSecrets(config, readerOf({ SEAL: 's'.repeat(31) })), {
    ok: false,
    problems: [{ path: 'persons.key' }],
  })
})
