import t from 'tap'
import { canonicalAuthority } from '../../../catalog/index.ts'

t.test('host and port are read', async (t) => {
  t.match(canonicalAuthority('Example.com:8080', undefined), {
    ok: true,
    host: 'example.com',
    port: 8080,
  })
  t.match(canonicalAuthority('example.com', 443), { ok: true, port: 443 })
  t.match(canonicalAuthority('[::1]:443', undefined), { ok: true, host: '::1', port: 443 })
  t.match(canonicalAuthority('[0:0::1]', 80), { ok: true, host: '::1', port: 80 })
})

t.test('what is no host and port is refused', async (t) => {
  const refused = [
    'h',
    'h:',
    'h:0',
    'h:080',
    'h:65536',
    'h:99999',
    'h:+1',
    'h:1 ',
    'h:1:2',
    'u@h:1',
    'u:p@h:1',
    'h:1/',
    'h:1?x',
    'h:1#x',
    '::1',
    '::1:443',
    '[::1]',
    '[h]:1',
    '[1.2.3.4]:1',
    '[::1',
    '[::1]x:1',
    '[]:1',
    ':1',
    '',
    'h\\:1',
  ]
  for (const text of refused) t.equal(canonicalAuthority(text, undefined).ok, false, text)
  for (const text of ['h:', 'h:0', ''])
    t.equal(canonicalAuthority(text, 80).ok, false, `${text} with a default`)
})
