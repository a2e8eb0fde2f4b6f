import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { openLab } from './lab.ts'

t.test('the CA on the command line', async (t) => {
  const lab = await openLab((end) => t.teardown(end))
  const { caFile } = lab.gateway
  const certificate = new X509Certificate(readFileSync(caFile))

  await t.test('show names path, fingerprint and validity', async (t) => {
    const facts = JSON.parse((await lab.run(['ca', 'show', '--json'])).stdout)
    t.equal(facts.path, caFile)
    t.equal(facts.sha256, certificate.fingerprint256)
    t.ok(Date.parse(facts.to) > Date.now())
    t.match((await lab.run(['ca', 'show'])).stdout, certificate.fingerprint256)
  })

  await t.test('--pem prints the certificate alone', async (t) => {
    t.equal((await lab.run(['ca', 'show', '--pem'])).stdout, readFileSync(caFile, 'utf8'))
  })

  await t.test('install --dry-run prints commands and does nothing', async (t) => {
    const target = '/usr/local/share/ca-certificates/narrowgate.crt'
    const before = existsSync(target)
    const ran = await lab.run(['ca', 'install', '--dry-run'])
    t.equal(ran.exit, 0, ran.stderr)
    t.strictSame(ran.stdout.split('\n'), [`cp ${caFile} ${target}`, 'update-ca-certificates', ''])
    t.equal(existsSync(target), before)
  })

  await t.test('without certutil, an NSS store is a no with what to install', async (t) => {
    const ran = await lab.run(['ca', 'install', '--nssdb', './nssdb'], {
      env: { PATH: '/nowhere' },
    })
    t.equal(ran.exit, 1)
    t.match(ran.stderr, /libnss3-tools/)
  })

  await t.test('without a state there is nothing to show', async (t) => {
    const ran = await lab.run(['ca', 'show', '--state', './none'])
    t.equal(ran.exit, 69)
    t.match(ran.stderr, /start narrowgate serve/)
  })
})
