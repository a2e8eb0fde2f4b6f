import { X509Certificate } from 'node:crypto'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { temporaryAuthority, temporaryFolder } from './_authority.ts'

const DAY = 86_400_000

t.test('a leaf holds what clients ask for', async (t) => {
  const { authority } = await temporaryAuthority(t)
  const ca = new X509Certificate(authority.caPem)
  const leaf = new X509Certificate((await authority.leaf('api.example.test')).cert)
  t.ok(leaf.checkIssued(ca) && leaf.verify(ca.publicKey))
  t.equal(leaf.subjectAltName, 'DNS:api.example.test')
  t.same(leaf.keyUsage, ['1.3.6.1.5.5.7.3.1'], 'server authentication alone')
  t.equal(leaf.ca, false)
  const [from, to] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)]
  t.ok(from < Date.now() - DAY / 2, 'back-dated')
  t.ok(to - from <= 397 * DAY, 'no longer than browsers take')
  t.not(
    leaf.serialNumber,
    new X509Certificate((await authority.leaf('api.example.test')).cert).serialNumber,
  )
  t.match(ca.subject, /^CN=Narrowgate CA [0-9a-f]{8}$/)
})

t.test('addresses stand in the certificate as addresses', async (t) => {
  const { authority } = await temporaryAuthority(t)
  const v4 = new X509Certificate((await authority.leaf('192.0.2.7')).cert)
  const v6 = new X509Certificate((await authority.leaf('2001:db8::7')).cert)
  t.equal(v4.checkIP('192.0.2.7'), '192.0.2.7')
  t.equal(v6.subjectAltName, 'IP Address:2001:DB8:0:0:0:0:0:7')
})

t.test('openssl verifies certificates of every name length', async (t) => {
  const { authority } = await temporaryAuthority(t)
  const folder = await temporaryFolder(t)
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, authority.caPem)
  const names = Array.from({ length: 100 }, (_, n) => `${longName(n + 4)}.test`)
  const files = await Promise.all(
    names.map(async (name, n) => {
      const { cert } = await authority.leaf(name)
      t.match(
        cert,
        /^-----BEGIN CERTIFICATE-----\n([A-Za-z0-9+/=]{1,64}\n)+-----END CERTIFICATE-----\n$/,
      )
      t.equal(new X509Certificate(cert).checkHost(name, { subject: 'never' }), name)
      const file = join(folder, `${n}.pem`)
      await writeFile(file, cert)
      return file
    }),
  )
  const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', caFile, ...files]
  const { stdout } = await promisify(execFile)('openssl', args)
  t.equal(stdout.match(/: OK\n/g)?.length, files.length)
})

/** A name of this many characters, with labels of at most 63. */
function longName(length: number): string {
  return Array.from({ length }, (_, n) => (n % 50 === 49 && n < length - 1 ? '.' : 'a')).join('')
}
