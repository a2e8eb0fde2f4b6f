import t from 'tap'
import { sessionsIn, withoutSessions } from '../../../gateway/wire/session-fields.ts'
import { maskTokens } from '../../../gateway/wire/tokens.ts'

const NAMES = { header: 'narrowgate-session', cookie: 'ns' }

t.test('sessions are found in every field that may hold them', async (t) => {
  const found = (...headers: readonly string[]) => sessionsIn(headers, NAMES)
  t.strictSame(found('Accept', 'x'), [])
  t.strictSame(found('Narrowgate-Session', 'a', 'NARROWGATE-SESSION', 'b'), ['a', 'b'])
  t.strictSame(found('Cookie', 'x=1; ns=a;ns=b', 'cookie', ' ns = c '), ['a', 'b', 'c'])
  t.strictSame(found('Cookie', 'ns=a', 'narrowgate-session', 'a'), ['a'], 'the same one once')
  t.strictSame(found('Cookie', 'ns=', 'narrowgate-session', ''), [])
  t.strictSame(found('Cookie', 'nss=a; xns=b; NS=c; n=ns=d'), [], 'other names are others')
  t.strictSame(found('Cookie', 'ns=a=b=='), ['a=b=='])
})

t.test('they are taken out, and what is beside them stays as it was sent', async (t) => {
  const left = (...headers: readonly string[]) => withoutSessions(headers, NAMES)
  t.strictSame(left('narrowgate-session', 'a', 'Accept', 'x'), ['Accept', 'x'])
  t.strictSame(left('Cookie', 'ns=a'), [])
  t.strictSame(left('Cookie', 'a=1;ns=a;  b="2 "', 'Cookie', 'c=3;  d=4'), [
    'Cookie',
    'a=1; b="2 "',
    'Cookie',
    'c=3;  d=4',
  ])
})

t.test('a session in running text is masked, its length kept', async (t) => {
  const session = `ns1.${'p'.repeat(40)}.${'s'.repeat(43)}`
  const token = `g1.${'p'.repeat(40)}.${'s'.repeat(43)}`
  t.equal(
    maskTokens(`a ${session} b ${token} c`),
    `a ns1.${'*'.repeat(84)} b g1.${'*'.repeat(84)} c`,
  )
  t.equal(maskTokens('ns1.example.com g1.x'), 'ns1.example.com g1.x')
})
