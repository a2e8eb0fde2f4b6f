import t from 'tap'
import { expiryOf } from '../../sidecar/expiry.ts'

const NOW = Date.parse('2026-11-29T12:00:00.500Z')

t.test('durations and dates become a date of a caveat', async (t) => {
  t.equal(expiryOf('30s', NOW), '2026-11-29T12:00:30Z')
  t.equal(expiryOf('15m', NOW), '2026-11-29T12:15:00Z')
  t.equal(expiryOf('2h', NOW), '2026-11-29T14:00:00Z')
  t.equal(expiryOf('7d', NOW), '2026-12-06T12:00:00Z')
  t.equal(expiryOf('2027-01-31', NOW), '2027-01-31T00:00:00Z')
  t.equal(expiryOf('2027-01-31T10:11:12Z', NOW), '2027-01-31T10:11:12Z')
})

t.test('anything else is refused with what may stand there', async (t) => {
  for (const text of [
    '',
    '2',
    'h',
    '2 h',
    '2w',
    '-2h',
    '1.5h',
    '2H',
    '1234567s',
    'tomorrow',
    '2027-02-30',
    '2027-13-01',
    '01/02/2027',
    '2027-01-31T10:11:12+02:00',
    '2027-01-31T25:00:00Z',
  ]) {
    t.throws(() => expiryOf(text, NOW), /expires: got .*2h/, text)
  }
})

t.test('what has passed is refused', async (t) => {
  t.throws(() => expiryOf('2026-11-29T11:59:59Z', NOW), /has passed/)
  t.throws(() => expiryOf('0s', NOW), /has passed/)
})
