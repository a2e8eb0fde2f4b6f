import t from 'tap'
import { readSecrets } from '../../../gateway/config/index.ts'
import { createSecretReader } from '../../../adapters/keys/reader.ts'
import { badConfig, goodConfig } from './_config.ts'

const NO_LIMITS = { callsPerMinute: undefined, concurrent: undefined }

t.test('a database has an address, and the embedded store has none', async (t) => {
  t.strictSame(goodConfig('').grants, {
    driver: 'embedded',
    url: undefined,
    staleMs: 1000,
    limits: NO_LIMITS,
  })
  t.strictSame(
    goodConfig('grants: { driver: postgres, url: { env: DB }, stale_ms: 2000 }').grants,
    { driver: 'postgres', url: { env: 'DB' }, staleMs: 2000, limits: NO_LIMITS },
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

t.test('limits of a grant are whole numbers, and nothing else stands beside them', async (t) => {
  const { grants } = goodConfig('grants: { limits: { calls_per_minute: 600 } }')
  t.strictSame(grants.limits, { callsPerMinute: 600, concurrent: undefined })
  for (const bad of ['0', '1.5', 'many'])
    t.match(badConfig(`grants: { limits: { concurrent: ${bad} } }`), [
      { path: 'grants.limits.concurrent' },
    ])
  t.match(badConfig('grants: { limits: { rate: 3 } }'), [{ path: 'grants.limits.rate' }])
  t.match(badConfig('grants: { limits: }'), [{ path: 'grants.limits' }])
})
