import t from 'tap'
import { readSecrets } from '../../../gateway/config/index.ts'
import { createSecretReader } from '../../../adapters/keys/reader.ts'
import { badConfig, goodConfig } from './_config.ts'

t.test('a database has an address, and the embedded store has none', async (t) => {
  t.strictSame(goodConfig('').grants, { driver: 'embedded', url: undefined, staleMs: 1000 })
  t.strictSame(
    goodConfig('grants: { driver: postgres, url: { env: DB }, stale_ms: 2000 }').grants,
    { driver: 'postgres', url: { env: 'DB' }, staleMs: 2000 },
  )
  t.match(badConfig('grants: { driver: postgres }'), [{ path: 'grants.url', got: 'nothing' }])
  t.match(badConfig('grants: { url: { env: DB } }'), [
    { path: 'grants.url', repair: /grants\.driver/ },
  ])
  t.match(badConfig('grants: { driver: postgres, url: { env: DB }, stale_ms: 10 }'), [
    { path: 'grants.stale_ms', repair: 'write at least 300' },
  ])
})

t.test('an address in the file itself is refused, and not shown', async (t) => {
  const [problem] = badConfig('grants: { driver: postgres, url: "postgres://a:hunter2@h/d" }')
  t.equal(problem?.path, 'grants.url')
  t.notMatch(JSON.stringify(problem), 'hunter2')
})

t.test('an address that cannot be read is told with the other secrets', async (t) => {
  const config = goodConfig('grants: { driver: postgres, url: { env: DB } }')
  const read = await readSecrets(config, createSecretReader({ env: {}, baseFolder: '/' }))
  t.match(read, { ok: false, problems: [{ path: 'grants.url' }] })
})
