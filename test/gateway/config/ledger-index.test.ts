import t from 'tap'
import { createSecretReader } from '../../../adapters/keys/reader.ts'
import { readSecrets } from '../../../gateway/config/index.ts'
import { badConfig, goodConfig } from './_config.ts'

t.test('a database needs an address, and the embedded index has none', async (t) => {
  t.same(goodConfig('{}').ledger.index, { driver: 'embedded', url: undefined })
  t.same(goodConfig('ledger: { index: { driver: postgres, url: { env: DB } } }').ledger.index, {
    driver: 'postgres',
    url: { env: 'DB' },
  })
  t.match(badConfig('ledger: { index: { driver: postgres } }'), [
    { path: 'ledger.index.url', got: 'nothing' },
  ])
  t.match(badConfig('ledger: { index: { url: { env: DB } } }'), [
    { path: 'ledger.index.url', repair: /ledger\.index\.driver/ },
  ])
  t.match(badConfig('ledger: { index: { driver: sqlite } }'), [{ path: 'ledger.index.driver' }])
})

t.test('the address is a secret that is read at the start', async (t) => {
  const config = goodConfig('ledger: { index: { driver: postgres, url: { env: DB } } }')
  const read = await readSecrets(config, createSecretReader({ env: {}, baseFolder: '/' }))
  t.match(read, { ok: false, problems: [{ path: 'ledger.index.url' }] })
})
