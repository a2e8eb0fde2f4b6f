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
  t.equal(mountCredential([...other, 'x-api-key', TOKEN], 'x-api-key'), TOKEN)
  t.equal(mountCredential([...other, 'x-api-key', ''], 'x-api-key'), 'other')
  t.end()
})
