import t from 'tap'
import {
  createBuildKey,
  createTokenVerifier,
  mintToken,
  nobleDigests,
  verifyToken,
} from '../../policy/index.ts'
import { sameBytes } from '../../policy/chain.ts'
import { KEY } from './support.ts'

function counting() {
  const counts = { hmac: 0, sha256: 0 }
  const digests = {
    hmac(key: Uint8Array, message: Uint8Array) {
      counts.hmac++
      return nobleDigests.hmac(key, message)
    },
    sha256Text(message: Uint8Array) {
      counts.sha256++
      return nobleDigests.sha256Text(message)
    },
  }
  return { counts, digests }
}

void t.test('a token is verified once', async (t) => {
  const { counts, digests } = counting()
  const verifier = createTokenVerifier({ keys: [KEY], digests, size: 2 })
  const token = mintToken(KEY, 'g_1', ['tools = A'])
  const first = verifier.verify(token)
  const before = counts.hmac
  t.equal(verifier.verify(token), first)
  t.equal(counts.hmac, before, 'the second time takes no HMAC')
})

void t.test('a refusal is not remembered and pushes nothing out', async (t) => {
  const { counts, digests } = counting()
  const verifier = createTokenVerifier({ keys: [KEY], digests, size: 1 })
  const token = mintToken(KEY, 'g_1', ['tools = A'])
  verifier.verify(token)
  const forged = `${token.slice(0, -43)}${'A'.repeat(43)}`
  for (let round = 0; round < 3; round++) {
    const before = counts.hmac
    t.throws(() => verifier.verify(forged), { name: 'TokenFault', stage: 'signature' })
    t.ok(counts.hmac > before, 'judged anew')
  }
  const before = counts.hmac
  verifier.verify(token)
  t.equal(counts.hmac, before, 'the good token is still known')
})

void t.test('no change of a known token is taken for it', async (t) => {
  const verifier = createTokenVerifier({ keys: [KEY] })
  const token = mintToken(KEY, 'g_1', ['tools = A'])
  verifier.verify(token)
  for (const other of [`${token} `, `${token}=`, token.toUpperCase(), `${token}\ud800`]) {
    t.throws(() => verifier.verify(other), { name: 'TokenFault', stage: 'format' })
  }
})

void t.test('size is asked before anything is hashed', async (t) => {
  const { counts, digests } = counting()
  const verifier = createTokenVerifier({ keys: [KEY], digests, maxBytes: 100 })
  t.throws(() => verifier.verify('a'.repeat(101)), { name: 'TokenFault', stage: 'format' })
  t.same(counts, { hmac: 0, sha256: 0 })
})

void t.test('a rotated key ends what was verified under the old one', async (t) => {
  const token = mintToken(KEY, 'g_1', ['tools = A'])
  createTokenVerifier({ keys: [KEY] }).verify(token)
  t.throws(() => createTokenVerifier({ keys: [] }).verify(token), {
    name: 'TokenFault',
    stage: 'signature',
  })
})

void t.test('the longest token is remembered too', async (t) => {
  const { counts, digests } = counting()
  const token = mintToken(KEY, 'g_1', ['tools = A'])
  const verifier = createTokenVerifier({ keys: [KEY], digests, maxBytes: token.length })
  verifier.verify(token)
  const before = counts.hmac
  verifier.verify(token)
  t.equal(counts.hmac, before)
})

void t.test('a token stays one of these keys’ for as long as its key is among them', async (t) => {
  const other = createBuildKey('another-build-key-for-the-tests-of-policy')
  const verifier = (...keys: readonly (typeof KEY)[]) => createTokenVerifier({ keys })
  const token = verifyToken(mintToken(KEY, 'g_1', ['tools = A']), [KEY])
  t.equal(verifier(KEY).holds(token), true)
  t.equal(verifier(other, KEY).holds(token), true, 'wherever it was verified')
  t.equal(verifier(other).holds(token), false)
  t.equal(verifier().holds(token), false)
  t.equal(verifier(KEY).holds({ ...token }), false, 'what only looks like a verified token')
})

void t.test('bytes are the same or not', async (t) => {
  const bytes = (...values: readonly number[]) => Uint8Array.from(values)
  t.equal(sameBytes(bytes(1, 2), bytes(1, 2)), true)
  for (const other of [bytes(1, 3), bytes(0, 2), bytes(1), bytes(1, 2, 0), bytes()])
    t.equal(sameBytes(bytes(1, 2), other), false)
})
