import t from 'tap'
import { mintToken, nobleDigests, parseCaveat, verifyToken } from '../../policy/index.ts'
import { KEY, nodeDigests, tokenOf } from './support.ts'

const lines = [
  'keys = p_1',
  'tools = A',
  'expires < 2026-10-10T00:00:00Z',
  'expires < 2026-09-01T00:00:00Z',
  'uses <= 9',
  'task = T-7',
  'uses <= 3',
  'task = T-7/3',
  'delegate = no',
]

void t.test('a minted token verifies and says what its lines say together', async (t) => {
  const token = verifyToken(mintToken(KEY, 'g_1', lines), [KEY])
  t.same(token.lines, lines)
  t.equal(token.links.length, lines.length + 1)
  t.equal(new Set(token.links).size, token.links.length)
  t.equal(token.link, token.links.at(-1))
  t.equal(token.expires, Date.UTC(2026, 8, 1), 'the earliest expiry')
  t.equal(token.task, 'T-7/3', 'the deepest task')
  t.equal(token.keysOf, 'p_1')
  t.equal(token.delegable, false)
  t.same(token.uses, [
    { link: token.links[5], limit: 9, expires: token.expires },
    { link: token.links[7], limit: 3, expires: token.expires },
  ])
  t.notMatch(JSON.stringify(token), mintToken(KEY, 'g_1', lines).slice(-43))
})

t.equal(mintToken(KEY, 'g_1', lines, nodeDigests), mintToken(KEY, 'g_1', lines, nobleDigests))

t.test(
  'without lines that say so it has no end, no task, no keys, and may be narrowed',
  async (t) => {
    const { delegable, expires, task, keysOf, uses } = tokenOf('tools = A')
    t.same(
      { delegable, expires, task, keysOf, uses },
      {
        delegable: true,
        expires: undefined,
        task: undefined,
        keysOf: undefined,
        uses: [],
      },
    )
    t.notOk('expires' in (tokenOf('uses <= 1').uses[0] ?? {}))
  },
)
t.equal(parseCaveat('tools = A').subject, '')
t.equal(parseCaveat('arg X.a = b').subject, 'X.a')

t.throws(() => mintToken(KEY, 'g_1', []), /give it a line/)
t.throws(() => mintToken(KEY, '', ['tools = A']), { name: 'TokenFault', stage: 'format' })
t.throws(() => mintToken(KEY, 'g_1', ['colour = blue']), { name: 'TokenFault', stage: 'caveat' })
t.throws(() => mintToken(KEY, 'g_1', ['keys =', 'tools = A']), {
  name: 'TokenFault',
  stage: 'caveat',
})
t.throws(() => mintToken(KEY, 'g_1', ['tools = A', 'keys = p_1']), { code: 'keys_misplaced' })
t.throws(() => mintToken(KEY, 'g_1', ['delegate = no', 'tools = A']), {
  name: 'TokenFault',
  stage: 'delegate',
})
t.throws(
  () =>
    mintToken(
      KEY,
      'g_1',
      Array.from({ length: 65 }, () => 'uses <= 1'),
    ),
  /64/,
)
