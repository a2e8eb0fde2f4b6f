import t from 'tap'
import { createTokenVerifier, mintToken, nobleDigests } from '../../policy/index.ts'
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
