import t from 'tap'
import { judgeAddress } from '../../../adapters/upstream/address.ts'
import { parseCidr } from '../../../adapters/upstream/ip.ts'

const allows = (ip: string, ...ranges: string[]) => judgeAddress(ip, ranges.map(parseCidr)).allow

t.test("the operator's ranges open what they name, on the bit", async (t) => {
  t.ok(allows('10.1.2.3', '10.0.0.0/8'))
  t.ok(allows('10.7.255.255', '10.0.0.0/13'))
  t.notOk(allows('10.8.0.0', '10.0.0.0/13'))
  t.notOk(allows('127.0.0.1', '10.0.0.0/8'))
  t.ok(allows('fd12::1', 'fd00::/8'))
  t.ok(allows('::1', '::1'))
  t.ok(allows('::ffff:10.0.0.1', '10.0.0.0/8'))
  t.ok(allows('64:ff9b::10.0.0.1', '10.0.0.0/8'))
  t.notOk(allows('64:ff9b::10.0.0.1', '192.168.0.0/16'))
  t.notOk(allows('10.0.0.1'))
})

t.test('a metadata service is opened only by its own name', async (t) => {
  t.notOk(allows('169.254.169.254', '169.254.0.0/16', '0.0.0.0/0'))
  t.notOk(allows('100.100.100.200', '100.64.0.0/10'))
  t.notOk(allows('fd00:ec2::254', 'fd00::/8'))
  t.notOk(allows('::ffff:169.254.169.254', '169.254.0.0/16', '::ffff:0:0/96'))
  t.ok(allows('169.254.169.254', '169.254.169.254/32'))
  t.ok(allows('169.254.169.254', '169.254.169.254'))
})

t.test('a range that is none is refused with what was got', async (t) => {
  for (const text of [
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/1e1',
    'all',
    '',
  ]) {
    t.throws(() => parseCidr(text), { name: 'RangeError', message: `\`${text}\`` }, text)
  }
})
