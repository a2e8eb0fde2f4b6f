import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { badConfig, tempFolder } from './_config.ts'

t.test('a row of the catalog cannot take a name of the store’s', async (t) => {
  const folder = tempFolder()
  const rows = ['STORE_GET', 'STORE_OTHER'].map(
    (name) => `{ name: ${name}, summary: x, host: a.test, method: GET, path: /${name} }`,
  )
  writeFileSync(join(folder, 'rows.yaml'), `tools: [${rows.join(', ')}]`)
  t.match(badConfig('catalog: [./rows.yaml]', folder), [
    { path: 'catalog[0].STORE_GET', got: 'a second row of this name' },
  ])
})

t.test('a mount cannot take the store’s address', async (t) => {
  for (const prefix of ['/api', '/api/store'])
    t.match(badConfig(`mounts: [{ prefix: ${prefix}, to: https://a.test }]`), [
      { path: 'mounts[0].prefix', repair: /serves this one itself/ },
    ])
})
