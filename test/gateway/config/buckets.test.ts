import { readFileSync } from 'node:fs'
import t from 'tap'
import { parseConfig, readSecrets } from '../../../gateway/config/index.ts'
import { createSecretReader } from '../../../adapters/keys/reader.ts'
import { goodConfig } from './_config.ts'

function problemsOf(buckets: string): readonly string[] {
  const loaded = parseConfig(`buckets:\n${buckets}`, { base: '/etc/gate', env: { HOME: '/h' } })
  if (loaded.ok) throw new Error(`${buckets}: it was taken`)
  return loaded.problems.map(({ path, got, repair }) => `${path}: got ${got}; ${repair}`)
}

const S3 = `
  - name: artifacts
    driver: s3
    endpoint: https://s3.example.com/
    access_key_id: { env: ID }
    secret_access_key: { env: KEY }
`

t.test('without a word there is one bucket, in the state folder', async (t) => {
  t.strictSame(goodConfig('').buckets, [{ name: 'default', readOnly: false, driver: 'embedded' }])
  t.strictSame(goodConfig('buckets: []').buckets, [])
})

t.test('the page’s own example', async (t) => {
  const page = readFileSync(new URL('../../../docs/store.md', import.meta.url), 'utf8')
  const block = /^ {4}buckets:\n(?: {4}.*\n)+/m.exec(page)?.[0].replaceAll(/^ {4}/gm, '') ?? ''
  t.strictSame(
    goodConfig(block).buckets.map(({ name, driver, readOnly }) => [name, driver, readOnly]),
    [
      ['default', 'embedded', false],
      ['shared', 'postgres', false],
      ['artifacts', 's3', false],
      ['published', 'embedded', true],
    ],
  )
})

t.test('buckets of all drivers', async (t) => {
  const text = `buckets:
  - name: a
    read_only: true
  - name: b
    driver: postgres
    url: { file: db.url }
${S3}    region: eu-central-1
    bucket: example.artifacts
`
  const { buckets } = goodConfig(text)
  t.match(buckets[1], { url: { file: /\/db\.url$/ } }, 'relative to the configuration')
  t.match(buckets, [
    { name: 'a', readOnly: true, driver: 'embedded' },
    { name: 'b', readOnly: false, driver: 'postgres' },
    {
      name: 'artifacts',
      driver: 's3',
      endpoint: 'https://s3.example.com',
      region: 'eu-central-1',
      bucket: 'example.artifacts',
      accessKeyId: { env: 'ID' },
      secretAccessKey: { env: 'KEY' },
    },
  ])
  t.match(goodConfig(`buckets:${S3}`).buckets[0], { region: 'auto', bucket: 'artifacts' })
})

t.test('what a driver needs and does not take is told', async (t) => {
  t.strictSame(problemsOf('  - { name: a, driver: s3, url: { env: X } }'), [
    'buckets[0].endpoint: got nothing; write it: `driver: s3` needs it',
    'buckets[0].access_key_id: got nothing; write it: `driver: s3` needs it',
    'buckets[0].secret_access_key: got nothing; write it: `driver: s3` needs it',
    'buckets[0].url: got a key that `driver: s3` does not take; remove it, or set another driver',
  ])
  t.strictSame(problemsOf('  - { name: a, driver: postgres }'), [
    'buckets[0].url: got nothing; write it: `driver: postgres` needs it',
  ])
  t.strictSame(problemsOf('  - { name: a, region: x }'), [
    'buckets[0].region: got a key that `driver: embedded` does not take; remove it, or set another driver',
  ])
})

t.test('names are plain, and each is one bucket’s', async (t) => {
  t.match(problemsOf('  - { name: a }\n  - { name: a }'), [
    /^buckets\[1\]\.name: got `a`, which is taken/,
  ])
  t.match(problemsOf('  - { name: ledger }'), [/^buckets\[0\]\.name: got `ledger`, which is taken/])
  for (const name of ['A', 'a/b', '..', 'a.b', '-a', 'a'.repeat(64)])
    t.match(problemsOf(`  - { name: ${name} }`), [/^buckets\[0\]\.name: /], name)
})

t.test('an endpoint is a place and nothing more', async (t) => {
  const bad = ['s3.example.com', 'ftp://a', 'https://u:hidden@a', 'https://a?x=1', 'https://a#b']
  for (const endpoint of bad) {
    const [problem = ''] = problemsOf(S3.replace('https://s3.example.com/', `"${endpoint}"`))
    t.match(problem, /^buckets\[0\]\.endpoint: .*without credentials/, endpoint)
    t.notMatch(problem, /hidden/)
  }
})

t.test('secrets are read when the configuration is loaded', async (t) => {
  const config = goodConfig(`buckets:${S3}`)
  const read = (env: Readonly<Record<string, string>>) =>
    readSecrets(config, createSecretReader({ env, baseFolder: '/etc/gate' }))
  t.match(await read({ ID: 'x', KEY: 'k'.repeat(16) }), { ok: true })
  t.match(await read({ ID: 'x', KEY: 'short' }), {
    ok: false,
    problems: [{ path: 'buckets[0].secret_access_key', got: 'a secret of 5 bytes' }],
  })
  t.match(await read({ KEY: 'k'.repeat(16) }), {
    ok: false,
    problems: [{ path: 'buckets[0].access_key_id' }],
  })
})
