import { chmodSync, writeFileSync } from 'node:fs'
import { createPrivateKey } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { createSecretReader } from '../../../adapters/keys/reader.ts'
import { readSecrets, resolveUpstream } from '../../../gateway/config/index.ts'
import { selfSigned } from '../../adapters/upstream/helpers/certificate.ts'
import { badConfig, goodConfig, tempFolder } from './_config.ts'

const identity = await selfSigned('gate.test')
const other = await selfSigned('other.test')
const encrypted = createPrivateKey(identity.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'secret',
})

/** A folder with the certificate and this key in it, and the configuration that names them. */
function place(key: string, more = '') {
  const folder = tempFolder()
  writeFileSync(join(folder, 'gate.pem'), `as openssl writes it\n${identity.cert}`)
  writeFileSync(join(folder, 'gate.key'), key)
  chmodSync(join(folder, 'gate.key'), 0o600)
  const text = `
upstreams:
  - name: mutual
    hosts: [mutual.test]
    client_certificate: { cert: ./gate.pem, key: { file: ./gate.key } }
    ${more}
`
  return { folder, text }
}

function secretsOf(key: string) {
  const { folder, text } = place(key)
  const config = goodConfig(text, folder)
  const reader = createSecretReader({ env: {}, baseFolder: folder })
  return readSecrets(config, reader).then((read) => ({ config, read }))
}

t.test('the certificate and its key are on the way to the upstream, and to no other', async (t) => {
  const { config, read } = await secretsOf(identity.key)
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  const from = { config, secrets: read.secrets }
  const routeTo = (host: string) =>
    resolveUpstream(from, { scheme: 'https', host, port: 443 })?.route.clientCertificate
  t.equal(routeTo('mutual.test')?.cert, `${identity.cert.trim()}\n`)
  t.equal(routeTo('mutual.test')?.key.reveal(), identity.key.trim())
  t.equal(routeTo('elsewhere.test'), undefined)
  t.notMatch(JSON.stringify(routeTo('mutual.test')), 'PRIVATE')
})

t.test('a key that is none, is not its own or is encrypted is told, and not shown', async (t) => {
  for (const key of ['nonsense', identity.cert, other.key, String(encrypted)]) {
    const { read } = await secretsOf(key)
    t.match(read, { ok: false, problems: [{ path: 'upstreams[0].client_certificate.key' }] })
    t.notMatch(JSON.stringify(read), 'PRIVATE')
    t.notMatch(JSON.stringify(read), 'nonsense')
  }
})

t.test('a file of certificates that is none is told', async (t) => {
  const { folder, text } = place(identity.key)
  t.match(badConfig(text.replace('./gate.pem', './none.pem'), folder), [
    { path: 'upstreams[0].client_certificate.cert', got: /ENOENT/ },
  ])
  t.match(badConfig(text.replace('./gate.pem', './gate.key'), folder), [
    { path: 'upstreams[0].client_certificate.cert', got: /no certificate/ },
  ])
})

t.test('neither half goes alone, nor into a tunnel that is not read', async (t) => {
  const { folder, text } = place(identity.key, 'intercept: false')
  t.match(badConfig(text, folder), [{ path: 'upstreams[0].intercept', got: /client certificate/ }])
  const half = (members: string) =>
    badConfig(
      `upstreams: [{ name: a, hosts: [a.test], client_certificate: { ${members} } }]`,
      folder,
    )
  t.match(half('cert: ./gate.pem'), [{ path: 'upstreams[0].client_certificate.key' }])
  t.match(half('key: { env: A }'), [{ path: 'upstreams[0].client_certificate.cert' }])
  t.match(half('cert: ./gate.pem, key: { env: A }, pass: x'), [
    { path: 'upstreams[0].client_certificate.pass' },
  ])
})
