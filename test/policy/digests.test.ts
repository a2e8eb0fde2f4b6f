import fc from 'fast-check'
import t from 'tap'
import { nobleDigests } from '../../policy/index.ts'
import { nodeDigests, RUNS_FACTOR } from './support.ts'

void t.test('two digests of different hands are equal', async (t) => {
  const bytes = fc.uint8Array({ maxLength: 300 })
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(bytes, bytes, (key, message) => {
        const sameHmac = Buffer.compare(
          nobleDigests.hmac(key, message),
          nodeDigests.hmac(key, message),
        )
        const sameHash = nobleDigests.sha256Text(message) === nodeDigests.sha256Text(message)
        return sameHmac === 0 && sameHash
      }),
      { numRuns: 300 * RUNS_FACTOR },
    ),
  )
})
