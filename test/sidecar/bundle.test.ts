import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { systemClock } from '../../adapters/clock/system.ts'
import { createAuthority } from '../../gateway/tls/authority.ts'
import { createTrustFiles } from '../../sidecar/bundle.ts'
import { certificatesOf } from '../../sidecar/pem.ts'

let made = 0

/** A CA of its own below the folder. */
async function makeCa(folder: string): Promise<string> {
  made += 1
  const home = join(folder, `authority-${made}`)
  return (await createAuthority({ folder: home, clock: systemClock })).caFile
}

function prints(file: string): readonly string[] {
  return certificatesOf(readFileSync(file, 'utf8')).map(({ fingerprint256 }) => fingerprint256)
}

t.test(
  'the bundle holds the system’s roots, the operator’s own and the gateway’s CA',
  async (t) => {
    const folder = t.testdir()
    const caFile = await makeCa(folder)
    const ownA = await makeCa(folder)
    const files = createTrustFiles({ caFile, folder, own: { REQUESTS_CA_BUNDLE: ownA } })
    const [ca] = prints(caFile)
    const [own] = prints(ownA)
    const bundle = prints(files.bundle)
    t.ok(bundle.length > 50, 'the system’s roots')
    t.ok(bundle.includes(String(ca)) && bundle.includes(String(own)))
    t.strictSame(
      [...prints(files.extra)].sort(),
      [String(ca), String(own)].sort(),
      'extra has no roots',
    )
  },
)

t.test(
  'an operator’s bundle is merged from whichever variable named it, a folder too',
  async (t) => {
    const folder = t.testdir()
    const caFile = await makeCa(folder)
    const own = await makeCa(folder)
    const [print] = prints(own)
    for (const name of ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'PIP_CERT', 'GIT_SSL_CAINFO']) {
      const { extra } = createTrustFiles({ caFile, folder, own: { [name]: own } })
      t.ok(prints(extra).includes(String(print)), name)
    }
    const asFolder = dirname(own)
    const { extra } = createTrustFiles({ caFile, folder, own: { REQUESTS_CA_BUNDLE: asFolder } })
    t.ok(prints(extra).includes(String(print)), 'a folder')
  },
)

t.test(
  'a variable that names nothing readable, or no certificate, takes nothing away',
  async (t) => {
    const folder = t.testdir({
      'junk.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    })
    const caFile = await makeCa(folder)
    const own = { SSL_CERT_FILE: '/no/such/file', PIP_CERT: join(folder, 'junk.pem') }
    t.strictSame(prints(createTrustFiles({ caFile, folder, own }).extra), prints(caFile))
  },
)

t.test('the same sources give the same files, others give others', async (t) => {
  const folder = t.testdir()
  const caFile = await makeCa(folder)
  const first = createTrustFiles({ caFile, folder, own: {} })
  t.strictSame(createTrustFiles({ caFile, folder, own: {} }), first)
  const other = await makeCa(folder)
  t.not(createTrustFiles({ caFile, folder, own: { SSL_CERT_FILE: other } }).bundle, first.bundle)
})

t.test('the folder of certificates serves OpenSSL', async (t) => {
  const folder = t.testdir()
  const caFile = await makeCa(folder)
  const { folder: certs } = createTrustFiles({ caFile, folder, own: {} })
  t.match(readdirSync(certs), [/^[0-9a-f]{8}\.0$/])
  const verified = execFileSync('openssl', ['verify', '-no-CAfile', '-CApath', certs, caFile])
  t.match(verified.toString(), /: OK/)
})

t.test(
  'keytool reads the trust store, and an operator’s own store is merged into it',
  async (t) => {
    const keytool = (...args: readonly string[]) =>
      execFileSync('keytool', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    const folder = t.testdir()
    const caFile = await makeCa(folder)
    const ownCa = await makeCa(folder)
    const store = join(folder, 'own.p12')
    keytool(
      '-importcert',
      '-noprompt',
      '-alias',
      'own',
      '-file',
      ownCa,
      '-keystore',
      store,
      '-storepass',
      'secret-1',
    )
    const options = `-Djavax.net.ssl.trustStore=${store} -Djavax.net.ssl.trustStorePassword=secret-1`
    const { truststore, bundle } = createTrustFiles({
      caFile,
      folder,
      own: { JAVA_TOOL_OPTIONS: options },
    })
    const listed = keytool('-list', '-keystore', truststore, '-storepass', '')
    t.match(listed, new RegExp(`contains ${prints(bundle).length} entries`))
    t.match(listed, /trustedCertEntry/)
    t.ok(prints(bundle).includes(String(prints(ownCa)[0])))
  },
)
