import { base64urlnopad, utf8 } from '@scure/base'
import t from 'tap'
import { mintToken, narrowToken, nobleDigests, verifyToken } from '../../policy/index.ts'
import { KEY, nodeDigests } from './support.ts'

const token = mintToken(KEY, 'g_1', ['tools = A,B', 'uses <= 9', 'task = T-7'])

void t.test('a narrowed token keeps its former links and uses', async (t) => {
  const wide = verifyToken(token, [KEY])
  const narrow = verifyToken(narrowToken(token, ['uses <= 3', 'task = T-7/3']), [KEY])
  t.same(narrow.links.slice(0, wide.links.length), wide.links)
  t.same(narrow.uses.slice(0, 1), wide.uses, 'the count is shared')
  t.equal(narrow.uses.length, 2)
  t.equal(narrow.task, 'T-7/3')
})

void t.test('it is the token that mint would have made', async (t) => {
  const lines = ['tools = A,B', 'uses <= 9', 'task = T-7', 'ways = mcp']
  t.equal(narrowToken(token, ['ways = mcp']), mintToken(KEY, 'g_1', lines))
  t.equal(narrowToken(token, ['ways = mcp'], nodeDigests), mintToken(KEY, 'g_1', lines))
  t.equal(narrowToken(narrowToken(token, []), ['ways = mcp']), mintToken(KEY, 'g_1', lines))
})

void t.test('it refuses what a gateway would refuse', async (t) => {
  t.throws(() => narrowToken(token, ['colour = blue']), { name: 'TokenFault', stage: 'caveat' })
  t.throws(() => narrowToken(token, ['task = T-8']), {
    name: 'TokenFault',
    stage: 'caveat',
    axis: 'task',
  })
  t.throws(() => narrowToken(token, ['task = T']), {
    name: 'TokenFault',
    stage: 'caveat',
    axis: 'task',
  })
  t.throws(() => narrowToken(token, ['keys = p_1']), { code: 'keys_misplaced' })
  t.throws(
    () =>
      narrowToken(
        token,
        Array.from({ length: 62 }, () => 'uses <= 1'),
      ),
    /64/,
  )
  t.throws(() => narrowToken(`${token}=`, ['uses <= 1']), { name: 'TokenFault', stage: 'format' })
  const ended = narrowToken(token, ['delegate = no'])
  t.throws(() => narrowToken(ended, ['uses <= 1']), { name: 'TokenFault', stage: 'delegate' })
  t.throws(() => narrowToken(token, ['delegate = no', 'uses <= 1']), {
    name: 'TokenFault',
    stage: 'delegate',
  })
})

void t.test('no holder writes a keys line, not even as the first line', async (t) => {
  const payload = base64urlnopad.encode(utf8.decode('{"i":"g_1","c":[]}'))
  const signature = nobleDigests.hmac(KEY.root, utf8.decode('g_1'))
  const bare = `g1.${payload}.${base64urlnopad.encode(signature)}`
  t.equal(verifyToken(bare, [KEY]).lines.length, 0)
  t.throws(() => narrowToken(bare, ['keys = p_1']), { code: 'keys_misplaced' })
})
