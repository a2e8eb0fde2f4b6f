import t from 'tap'
import { badConfig, goodConfig } from './_config.ts'

t.test('the headers of the owner key', async (t) => {
  t.strictSame(goodConfig('').owner, { keyHeaders: ['x-narrowgate-key'], send: undefined })
  const several = 'owner: { key_headers: [x-team-key, x-narrowgate-key] }'
  t.strictSame(goodConfig(several).owner.keyHeaders, ['x-team-key', 'x-narrowgate-key'])
  for (const headers of ['[]', '[X-Key]', '[x-key, x-key]', "['x key']", 'x-key'])
    t.match(badConfig(`owner: { key_headers: ${headers} }`), [{ path: /^owner\.key_headers/ }])
})

t.test('the way of links', async (t) => {
  const send = 'owner: { send: { command: [mail-link, --quiet], base: "https://gate.test" } }'
  t.strictSame(goodConfig(send).owner.send, {
    command: ['mail-link', '--quiet'],
    base: 'https://gate.test',
  })
  for (const [text, path] of [
    ['{ command: [mail] }', 'owner.send.base'],
    ['{ base: "https://gate.test" }', 'owner.send.command'],
    ['{ command: [], base: "https://gate.test" }', 'owner.send.command'],
    ['{ command: [mail], base: gate.test }', 'owner.send.base'],
    ['{ command: [mail], base: "https://gate.test/" }', 'owner.send.base'],
    ['{ command: [mail], base: "https://gate.test", to: alice }', 'owner.send.to'],
  ] as const)
    t.match(badConfig(`owner: { send: ${text} }`), [{ path }], text)
})
