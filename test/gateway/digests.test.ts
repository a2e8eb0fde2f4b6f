import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { nodeDigests } from '../../gateway/digests.ts'
import { nobleDigests } from '../../policy/index.ts'

const RUNS = Math.ceil(500 * Number(process.env['NARROWGATE_RUNS_FACTOR'] ?? 1))

t.test('the gateway’s digests are those of the standard, one call after another', async (t) => {
  // Keys on both sides of the block size, messages beyond any buffer that is kept between calls.
  const key = fc.uint8Array({ maxLength: 200 })
  const message = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.uint8Array({ minLength: 4000, maxLength: 9000 }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(key, message), { minLength: 1, maxLength: 4 }), (pairs) => {
      const own = pairs.map(
        ([k, m]) => [nodeDigests.hmac(k, m), nodeDigests.sha256Text(m)] as const,
      )
      return own.every(([hmac, sha256], at) => {
        const [k, m] = pairs[at] as [Uint8Array, Uint8Array]
        return (
          createHmac('sha256', k).update(m).digest().equals(hmac) &&
          createHash('sha256').update(m).digest('base64url') === sha256 &&
          Buffer.from(nobleDigests.hmac(k, m)).equals(hmac)
        )
      })
    }),
    { numRuns: RUNS },
  )
  t.same(
    hexOf(
      nodeDigests.hmac(
        Buffer.from('key'),
        Buffer.from('The quick brown fox jumps over the lazy dog'),
      ),
    ),
    'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
  )
})

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
