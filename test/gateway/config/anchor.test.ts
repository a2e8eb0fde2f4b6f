import t from 'tap'
import { badConfig, goodConfig } from './_config.ts'

t.test('an anchor names a bucket that can be written to', async (t) => {
  const { ledger } = goodConfig(
    'buckets: [{ name: anchors }]\nledger: { anchor: { bucket: anchors, prefix: gate-1/ } }',
  )
  t.strictSame(ledger.anchor, { bucket: 'anchors', prefix: 'gate-1/', deadlineMs: 60_000 })
  t.equal(goodConfig('').ledger.anchor, undefined)
  for (const buckets of ['[{ name: other }]', '[{ name: anchors, read_only: true }]'])
    t.match(badConfig(`buckets: ${buckets}\nledger: { anchor: { bucket: anchors } }`), [
      { path: 'ledger.anchor.bucket', got: '`anchors`', repair: /not `read_only`/ },
    ])
})

t.test('a name of the log is one that notes can have', async (t) => {
  t.equal(goodConfig('ledger: { name: ledger.example.com/a }').ledger.name, 'ledger.example.com/a')
  for (const name of ['', 'a b', 'a+b', 'ä'])
    t.match(badConfig(`ledger: { name: ${JSON.stringify(name)} }`), [
      { path: 'ledger.name', repair: 'write it like `ledger.example.com`' },
    ])
})
