import t from 'tap'
import { mountCredential, proxyCredential } from '../../../gateway/doors/credentials.ts'
import { TOKEN, basic } from './_door.ts'

t.test('a proxy’s credential', (t) => {
  const cases: [value: string, credential: string | undefined][] = [
    [basic(`agent:${TOKEN}`), TOKEN],
    [basic(`${TOKEN}:`), TOKEN],
    [basic(TOKEN), TOKEN],
    [basic(`:${TOKEN}`), TOKEN],
    [basic(`${TOKEN}:${TOKEN}x`), TOKEN],
    [basic('agent:secret'), 'secret'],
    [basic('agent:'), 'agent'],
    [basic(':'), undefined],
    [`Bearer ${TOKEN}`, TOKEN],
    [`BEARER ${TOKEN} `, TOKEN],
    [`Digest ${TOKEN}`, undefined],
    [`Bearer ${TOKEN} ${TOKEN}`, undefined],
    ['Bearer', undefined],
    [TOKEN, undefined],
    ['', undefined],
  ]
  for (const [value, credential] of cases) {
    t.equal(proxyCredential(['PROXY-authorization', value]), credential, value)
  }
  t.equal(proxyCredential([]), undefined)
  t.equal(
    proxyCredential(['authorization', `Bearer ${TOKEN}`]),
    undefined,
    'that one is the upstream’s',
  )
  t.end()
})

t.test('the slot comes first, and empty is absent', (t) => {
  const other = ['proxy-authorization', 'Bearer other']
  const slot = 'x-api-key'
  t.same(mountCredential([...other, slot, TOKEN], slot), { credential: TOKEN, slot })
  t.same(mountCredential([...other, slot, ''], slot), { credential: 'other', slot })
  t.end()
})

t.test('a g1 token is found in the other headers of SDKs, and nothing else is', (t) => {
  const found = { credential: TOKEN, slot: 'authorization' }
  t.same(mountCredential(['Authorization', `Bearer ${TOKEN}`], 'x-api-key'), found)
  t.same(mountCredential(['Authorization', 'Bearer sk-own'], 'x-api-key').credential, undefined)
  t.same(mountCredential(['x-api-key', 'own', 'api-key', TOKEN], 'x-api-key').credential, 'own')
  t.end()
})
