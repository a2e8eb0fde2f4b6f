import t from 'tap'
import { createBuildKey, mintToken, narrowToken, verifyToken } from '../../policy/index.ts'

const key = createBuildKey('a-build-key-of-these-tests-0123456789')
const SOON = 'expires < 2030-01-01T00:00:00Z'
const LATER = 'expires < 2031-01-01T00:00:00Z'

t.test('a counter may be forgotten when the lines before it have expired', async (t) => {
  const token = mintToken(key, 'g_1', [LATER, SOON, 'uses <= 3'])
  t.same(
    verifyToken(token, [key]).uses.map(({ expires }) => expires),
    [Date.parse('2030-01-01T00:00:00Z')],
  )
})

t.test('a holder who narrows the time does not end the wider count', async (t) => {
  const wide = mintToken(key, 'g_1', ['uses <= 3'])
  const [counter] = verifyToken(narrowToken(wide, [SOON]), [key]).uses
  t.same(counter, verifyToken(wide, [key]).uses[0])
  t.equal(counter?.expires, undefined)
})
