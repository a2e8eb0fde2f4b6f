import t from 'tap'
import { createBuildKey, mintToken, verifyToken } from '../../policy/index.ts'
import { run } from './in-process.ts'

const key = createBuildKey('x7Jq2mVtR9wLkZcY4bNfHs6dGpQaEu81')
const token = mintToken(key, 'g_test', ['tools = HTTP_*', 'task = T-1'])

t.test('grant narrow works without state, key or gateway', async (t) => {
  const ran = await run(['grant', 'narrow', token, 'uses <= 3', 'tools = HTTP_GET'])
  t.equal(ran.exit, 0)
  const { lines } = verifyToken(ran.stdout.trimEnd(), [key])
  t.strictSame(lines, ['tools = HTTP_*', 'task = T-1', 'uses <= 3', 'tools = HTTP_GET'])
})

t.test('a dash takes the token from stdin', async (t) => {
  const ran = await run(['grant', 'narrow', '-', 'uses <= 3'], { input: `${token}\n` })
  t.equal(ran.exit, 0)
  t.equal(verifyToken(ran.stdout.trimEnd(), [key]).lines.length, 3)
})

const REFUSED: readonly (readonly [name: string, token: string, line: string])[] = [
  ['a line that does not parse', token, 'tools ~ x'],
  ['an unknown axis', token, 'colour = red'],
  ['a task that is not below', token, 'task = T-2'],
  ['somebody’s keys', token, 'keys = p_1'],
  ['a token that is none', 'g1.x', 'uses <= 3'],
  ['after delegate = no', mintToken(key, 'g', ['delegate = no']), 'uses <= 3'],
]

t.test('what cannot be narrowed is refused with 1, the reason, and no token', async (t) => {
  for (const [name, text, line] of REFUSED) {
    const ran = await run(['grant', 'narrow', text, line])
    t.equal(ran.exit, 1, name)
    t.equal(ran.stdout, '', `${name}: nothing on stdout`)
    t.match(ran.stderr, /^narrowgate: ./, `${name}: a reason`)
    t.notMatch(ran.stderr, text.length > 20 ? text : /^$/, `${name}: the token is not printed`)
  }
})
