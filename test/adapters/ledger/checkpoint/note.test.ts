import t from 'tap'
import { SecretText } from '../../../../adapters/keys/secret.ts'
import { createSigner } from '../../../../adapters/ledger/checkpoint/note.ts'

/** The key of the examples of golang.org/x/mod/sumdb/note: type and seed. */
const GO_KEY = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64')
const TEXT = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.
`
const NOTE = `${TEXT}
— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`

const signerOf = (seed: Buffer, name: string) =>
  createSigner(name, new SecretText('ledger-key', seed.toString('base64url')))

t.test('key and signature are those that Go’s own package makes', async (t) => {
  const signer = signerOf(GO_KEY.subarray(1), 'PeterNeumann')
  t.equal(signer.verifierKey, 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')
  t.equal(signer.sign(TEXT), NOTE)
  t.equal(signer.open(NOTE), TEXT)
})

t.test('a signer knows its own notes, under an older name too, and no others', async (t) => {
  const seed = Buffer.alloc(32, 7)
  const note = signerOf(seed, 'old.example').sign('a\nb\n')
  const now = signerOf(seed, 'new.example')
  t.equal(now.open(note), 'a\nb\n')
  const cosigned = `${note}— witness.example ${Buffer.alloc(68, 1).toString('base64')}\n`
  t.equal(now.open(cosigned), 'a\nb\n', 'signatures of others are passed over')
  for (const other of [
    note.replace('b', 'c'),
    note.replace('old.example', 'old.example2'),
    note.replace(/[^=\n]{4}(=*)\n$/, 'AAAA$1\n'),
    note.split('\n\n')[0] ?? '',
    '',
    signerOf(Buffer.alloc(32, 8), 'old.example').sign('a\nb\n'),
  ])
    t.equal(now.open(other), undefined, JSON.stringify(other))
})

t.test('what is no key is refused, and not shown', async (t) => {
  for (const text of ['short', 'x'.repeat(44), `${'A'.repeat(42)}B`]) {
    const make = () => createSigner('log', new SecretText('ledger-key', text))
    t.throws(make, { message: 'ledger key: it must be 32 bytes in base64url' })
  }
})
