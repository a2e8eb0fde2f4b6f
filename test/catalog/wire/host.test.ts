import t from 'tap'
import { canonicalHost } from '../../../catalog/index.ts'

t.test('a host has one spelling', async (t) => {
  const spellings = [
    ['Example.COM', 'example.com', 'name'],
    ['example.com.', 'example.com', 'name'],
    ['a_b-c.xn--bcher-kva.example', 'a_b-c.xn--bcher-kva.example', 'name'],
    ['127.0.0.1', '127.0.0.1', 'ipv4'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1', 'ipv6'],
    ['0:0:0:0:0:0:0:1', '::1', 'ipv6'],
    ['1:0:3:4:5:6:7:8', '1:0:3:4:5:6:7:8', 'ipv6'],
    ['::FFFF:7f00:1', '::ffff:127.0.0.1', 'ipv6'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304', 'ipv6'],
  ] as const
  for (const [text, host, kind] of spellings) {
    t.strictSame(canonicalHost(text), { ok: true, host, kind }, text)
    t.strictSame(canonicalHost(host), { ok: true, host, kind }, `${host} stays`)
  }
})

t.test('what has none is refused', async (t) => {
  const refused = [
    '',
    '.',
    'a..b',
    '.a',
    'a.b..',
    'bücher.example',
    'ａ.example',
    'a b',
    'a%2eb',
    'a/b',
    'a@b',
    'a\n',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}ab`,
    '127.1',
    '0x7f000001',
    '0177.0.0.1',
    '2130706433',
    '127.0.0.0x1',
    '256.1.1.1',
    '1.2.3.4.5',
    'a.1',
    '0x',
    '01.2.3.4',
    'fe80::1%eth0',
    '::1::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2:3:4:5:6:7:8',
    '12345::',
    ':::',
    ':1',
    '1.2.3.4::',
    '::1.2.3',
    '[::1]',
  ]
  for (const text of refused) t.equal(canonicalHost(text).ok, false, JSON.stringify(text))
})
