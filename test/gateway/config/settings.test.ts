import t from 'tap'
import { sectionOf, settingsOf, type Config } from '../../../gateway/config/index.ts'
import { goodConfig } from './_config.ts'

const WRITTEN = `
build_keys: [{ command: [vault, read, --token, hunter2] }]
owner_key: { env: OWNER_KEY }
owner: { send: { command: [curl, -H, "authorization: hunter2"], base: "https://gate.example.com" } }
upstreams:
  - name: github
    hosts: [api.github.com, "*.githubusercontent.com"]
    keys:
      - { name: github-key, secret: { file: /run/secrets/github }, header: authorization, format: "Bearer {}" }
`

function valuesOf(config: Config): ReadonlyMap<string, string> {
  return new Map(settingsOf(config).map(({ path, value }) => [path, value]))
}

t.test('settings have the file’s own names, defaults filled in', async (t) => {
  const values = valuesOf(goodConfig(WRITTEN))
  t.match(Object.fromEntries(values), {
    'limits.max_header_bytes': '65536',
    unknown_hosts: 'allow',
    'upstreams[0].name': 'github',
    'upstreams[0].hosts[1].host': '.githubusercontent.com',
    'upstreams[0].keys[0].use.format': 'Bearer {}',
    'owner.send.base': 'https://gate.example.com',
    mounts: 'none',
  })
})

t.test('of a secret it says where it comes from, of a command its program alone', async (t) => {
  const values = valuesOf(goodConfig(WRITTEN))
  t.match(Object.fromEntries(values), {
    'build_keys[0].command': 'vault and 3 more that are not shown',
    'owner_key.env': 'OWNER_KEY',
    'owner.send.command': 'curl and 2 more that are not shown',
    'upstreams[0].keys[0].secret.file': '/run/secrets/github',
  })
  t.notMatch([...values.values()].join('\n'), 'hunter2')
})

t.test('long texts are told by their length, and every value has a section', async (t) => {
  const config = goodConfig('')
  const values = valuesOf({ ...config, grantLabel: 'x'.repeat(5000) })
  t.equal(values.get('grant_label'), 'a text of 5000 characters')
  const sections = settingsOf(config).map(sectionOf)
  t.same(new Set(sections).has('general'), true)
  t.same(sections, sections.toSorted(), 'those of one section stand together')
})
