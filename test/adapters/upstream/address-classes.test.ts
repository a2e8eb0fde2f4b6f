import fc from 'fast-check'
import t from 'tap'
import { classifyAddress } from '../../../adapters/upstream/address.ts'

const runs = Math.ceil(300 * Number(process.env['NARROWGATE_RUNS_FACTOR'] ?? 1))

const CLASSES: Readonly<Record<string, readonly string[]>> = {
  public: [
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '198.17.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  link_local: ['169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  metadata: [
    '169.254.169.254',
    '100.100.100.200',
    'fd00:ec2::254',
    '169.254.170.2',
    '168.63.129.16',
    'fd20:ce::254',
  ],
  cgnat: ['100.64.0.1', '100.127.255.255'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: [
    '240.0.0.1',
    '255.255.255.255',
    '192.0.0.1',
    '192.88.99.1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b:1::a00:1',
    '100::1',
    '2001:20::1',
    '5f00::1',
  ],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  unique_local: ['fc00::1', 'fdff::1'],
  site_local: ['fec0::1'],
  'ipv4_mapped:loopback': ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:127.0.0.1'],
  'ipv4_mapped:metadata': ['::ffff:a9fe:a9fe'],
  'ipv4_mapped:public': ['::ffff:8.8.8.8'],
  'nat64:public': ['64:ff9b::808:808', '64:ff9b::8.8.8.8'],
  'nat64:private': ['64:ff9b::10.0.0.1'],
  'nat64:metadata': ['64:ff9b::a9fe:a9fe'],
  '6to4:metadata': ['2002:a9fe:a9fe::'],
  '6to4:loopback': ['2002:7f00:1::1'],
  '6to4:public': ['2002:808:808::1'],
  invalid: [
    '',
    'localhost',
    '0x7f000001',
    '2130706433',
    '127.1',
    '0177.0.0.1',
    '[::1]',
    '1.2.3.4.5',
    ':::',
  ],
}

for (const [name, addresses] of Object.entries(CLASSES)) {
  t.test(name, async (t) => {
    for (const address of addresses) {
      const allow = name.split(':').pop() === 'public'
      t.same(classifyAddress(address), { allow, class: name }, address)
    }
  })
}

t.test('an embedded address is judged as the address it embeds', async () => {
  const octet = fc.nat({ max: 255 })
  fc.assert(
    fc.property(octet, octet, octet, octet, (a, b, c, d) => {
      const plain = classifyAddress(`${a}.${b}.${c}.${d}`)
      const hex = [a, b, c, d].map((byte) => byte.toString(16).padStart(2, '0'))
      const pair = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`
      const forms = [`::ffff:${pair}`, `64:ff9b::${pair}`, `2002:${pair}::1`].map(classifyAddress)
      return forms.every(
        (form) => form.allow === plain.allow && form.class.endsWith(`:${plain.class}`),
      )
    }),
    { numRuns: runs },
  )
})
