import t from 'tap'
import { readSecrets } from '../../../gateway/config/index.ts'
import { badConfig, goodConfig, readerOf } from './_config.ts'

const KEY = 'ghp_9fKx72LmQpVw83ZtYb41'
const PASSWORD = 'hunter2'

// Every place into which somebody may paste the secret itself.
const PASTED: Readonly<Record<string, string>> = {
  'a secret as a text': `upstreams: [{ name: a, hosts: [a.test], keys: [{ name: k, secret: ${PASSWORD}, header: x-a }] }]`,
  'a secret as a key': `upstreams: [{ name: a, hosts: [a.test], keys: [{ name: k, secret: { ${PASSWORD}: }, header: x-a }] }]`,
  'an invalid variable name': `owner_key: { env: "${PASSWORD}!" }`,
  'a command as a text': `owner_key: { command: ${PASSWORD} }`,
  'a build key as a text': `build_keys: [${PASSWORD}]`,
  'a header format without its slot': `upstreams: [{ name: a, hosts: [a.test], keys: [{ name: k, secret: { env: A }, header: x-a, format: "Bearer ${PASSWORD}" }] }]`,
  'a placeholder': `upstreams: [{ name: a, hosts: [a.test], keys: [{ name: k, secret: { env: A }, placeholder: ${PASSWORD} }] }]`,
  'a proxy URL': `proxy: { url: "http://u:${PASSWORD}@corp.test:1" }`,
  'a proxy password': `proxy: { url: "http://corp.test:1", user: u, password: ${PASSWORD} }`,
  'user information in a host': `upstreams: [{ name: a, hosts: ["u:${PASSWORD}@a.test"] }]`,
  'user information in a mount': `mounts: [{ prefix: /m, to: "https://u:${PASSWORD}@a.test" }]`,
  'a key under an unknown name': `token: ${KEY}`,
  'a key as an unknown name': `{ ${KEY}: 1 }`,
  'a key in place of a list': `upstreams: ${KEY}`,
  'a key in place of a number': `limits: { idle_ms: ${KEY} }`,
  'a key in place of an enum': `log: { level: ${KEY} }`,
  'a key as a name': `upstreams: [{ name: "${KEY} ", hosts: [a.test] }]`,
  'a key as an alias': `owner_key: *${KEY}`,
  'a key in a broken line': `owner_key: [ ${KEY}`,
  'a key with a tag': `owner_key: !${KEY} x`,
}

for (const [place, text] of Object.entries(PASTED)) {
  t.test(place, async (t) => {
    const told = JSON.stringify(badConfig(text))
    t.notMatch(told, KEY)
    t.notMatch(told, PASSWORD)
  })
}

t.test('a secret that was read and found unfit', async (t) => {
  const config = goodConfig(
    'upstreams: [{ name: a, hosts: [a.test], keys: [{ name: k1, secret: { env: A }, header: x-a }, { name: k2, secret: { env: B }, header: x-b }] }]',
  )
  const read = await readSecrets(config, readerOf({ A: PASSWORD, B: `${KEY}\n${KEY}` }))
  if (read.ok) throw new Error('unfit secrets were taken')
  t.strictSame(
    read.problems.map(({ path, got }) => [path, got]),
    [
      ['upstreams[0].keys[0].secret', 'a secret of 7 bytes'],
      ['upstreams[0].keys[1].secret', 'a secret with a character that a header cannot hold'],
    ],
  )
  t.notMatch(JSON.stringify(read.problems), PASSWORD)
})
