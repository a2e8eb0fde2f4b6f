import { PassThrough } from 'node:stream'
import { format, inspect } from 'node:util'
import { pino } from 'pino'
import t from 'tap'
import { SecretText } from '../../../adapters/keys/secret.ts'

const VALUE = 'sk-0123456789abcdef'
const secret = new SecretText('github', VALUE)

t.test('it gives its text away only when asked by name', async (t) => {
  t.equal(secret.reveal(), VALUE)
  t.equal(secret.redacted(), '[secret github: 19 bytes]')
})

t.test('printing, inspecting, cloning and serialising do not show it', async (t) => {
  const holder = { secret, list: [secret], map: new Map([['k', secret]]) }
  const shown = [
    String(secret),
    inspect(holder, { depth: 9, showHidden: true, getters: true }),
    inspect(secret, { customInspect: false, showHidden: true }),
    format('%s %j %o %O', secret, secret, secret, secret),
    JSON.stringify(holder),
    JSON.stringify(Object.assign({}, secret)),
    JSON.stringify(Object.getOwnPropertyDescriptors(secret)),
    JSON.stringify(Object.entries(secret)),
    inspect(structuredClone(Object.assign({}, secret))),
  ]
  for (const text of shown) t.notMatch(text, VALUE)
  t.match(shown[1], /\[secret github: 19 bytes\]/)
})

t.test('a log line and an error do not show it', async (t) => {
  const lines = new PassThrough()
  const error = Object.assign(new Error(`failed with ${String(secret)}`), { secret })
  pino(lines).error({ err: error, secret, nested: { secret } }, 'key %s', secret)
  t.notMatch(String(lines.read()), VALUE)
  t.notMatch(inspect(error) + error.stack, VALUE)
})
