import t from 'tap'
import { loadConfig } from '../../../gateway/config/index.ts'
import { LIMITS } from '../../../gateway/limits.ts'
import { goodConfig, HOME, tempFolder } from './_config.ts'

t.test('no file at all means the defaults', async (t) => {
  const loaded = loadConfig({ env: { HOME }, cwd: tempFolder() })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const { config } = loaded
  t.equal(config.file, undefined)
  t.equal(config.state, `${HOME}/.narrowgate`)
  t.strictSame(config.listen, {
    proxy: { kind: 'tcp', host: undefined, port: 3128 },
    owner: { kind: 'tcp', host: '127.0.0.1', port: 3129 },
  })
  t.equal(config.unknownHosts, 'allow')
  t.strictSame(config.ledger, {
    driver: 'embedded',
    mode: 'strict',
    name: 'narrowgate',
    checkpointMs: 60_000,
    segmentBytes: 64 * 2 ** 20,
    anchor: undefined,
    index: { driver: 'embedded', url: undefined },
    exports: [],
  })
  t.equal(config.store.maxBytes, 10 * 2 ** 30)
  t.equal(config.grantLabel, 'misc-sheets grants v1')
  t.strictSame(
    config.limits,
    Object.fromEntries(Object.entries(LIMITS).map(([name, row]) => [name, row.default])),
  )
  t.match(config.version, /^[0-9a-f]{64}$/)
})

t.test('an empty text means the same', async (t) => {
  t.equal(goodConfig('').unknownHosts, 'allow')
  t.equal(goodConfig('# nothing\n').unknownHosts, 'allow')
})

t.test('what is loaded is frozen all the way down', async (t) => {
  const config = goodConfig('upstreams: [{ name: a, hosts: [a.test] }]')
  t.ok(Object.isFrozen(config))
  t.ok(Object.isFrozen(config.upstreams[0]?.hosts[0]))
})
