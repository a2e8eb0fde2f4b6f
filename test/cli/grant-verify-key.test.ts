import t from 'tap'
import { run } from './in-process.ts'

const KEYS: readonly (readonly [name: string, key: string | undefined])[] = [
  ['no key', undefined],
  ['an empty key', ''],
  ['a short key', 'short'],
]

t.test('grant verify without a usable build key is a usage error that says so', async (t) => {
  for (const [name, NARROWGATE_BUILD_KEY] of KEYS) {
    const ran = await run(['grant', 'verify', '--stdin'], {
      input: '"g1.x.y"\n',
      env: { NARROWGATE_BUILD_KEY },
    })
    t.equal(ran.exit, 2, name)
    t.equal(ran.stdout, '', `${name}: no verdict`)
    t.match(ran.stderr, /NARROWGATE_BUILD_KEY/, `${name}: the variable is named`)
  }
})
