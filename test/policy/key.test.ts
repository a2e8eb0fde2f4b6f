import t from 'tap'
import { createBuildKey, EXAMPLE_KEYS, mintToken, verifyToken } from '../../policy/index.ts'
import { KEY, nodeDigests } from './support.ts'

const text = 'kept-nowhere-else-than-in-this-test-of-keys'

t.throws(() => createBuildKey(''), /`0` bytes/)
t.throws(() => createBuildKey('a'.repeat(31)), /`31` bytes/)
t.equal(createBuildKey('é'.repeat(16)).root.length, 32, 'measured in bytes of UTF-8')
t.throws(() => createBuildKey(`${text}\ud800`), /not well-formed/)
t.throws(() => createBuildKey('0123456789abcdef0123456789abcdef'), /example/)
for (const example of EXAMPLE_KEYS) t.throws(() => createBuildKey(example), /example/)
t.throws(() => createBuildKey('short secret'), {
  message: /^build key: `12` bytes are too few; use/,
})

void t.test('the label and the digests go into the root', async (t) => {
  t.notSame(createBuildKey(text).root, createBuildKey(text, 'another label').root)
  t.same(createBuildKey(text).root, createBuildKey(text, 'misc-sheets grants v1').root)
  t.same(Buffer.from(createBuildKey(text).root), createBuildKey(text, undefined, nodeDigests).root)
})

void t.test('older keys are tried in order, and only those that are kept', async (t) => {
  const old = createBuildKey(text)
  const token = mintToken(old, 'g_1', ['tools = A'])
  t.equal(verifyToken(token, [KEY, old]).id, 'g_1')
  t.throws(() => verifyToken(token, [KEY]), {
    name: 'TokenFault',
    stage: 'signature',
    code: 'token_forged',
  })
  t.throws(() => verifyToken(token, []), { name: 'TokenFault', stage: 'signature' })
})
