import { chmod, copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createAuthority } from '../../../gateway/tls/authority.ts'
import { clock, temporaryAuthority, temporaryFolder } from './_authority.ts'

t.test('the CA that was made is the one that is loaded', async (t) => {
  const { authority, folder } = await temporaryAuthority(t)
  t.same((await readdir(folder)).sort(), ['ca.key', 'ca.pem'])
  t.equal((await stat(join(folder, 'ca.key'))).mode & 0o777, 0o600)
  t.equal((await createAuthority({ folder, clock })).caPem, authority.caPem)
})

t.test('two starts at once end with one CA', async (t) => {
  const folder = join(await temporaryFolder(t), 'state', 'ca')
  const all = await Promise.all(Array.from({ length: 8 }, () => createAuthority({ folder, clock })))
  t.equal(new Set(all.map((authority) => authority.caPem)).size, 1)
  t.same(await readdir(join(folder, '..')), ['ca'], 'and nothing is left over')
})

t.test('a key that others may read is refused', async (t) => {
  const { folder } = await temporaryAuthority(t)
  for (const mode of [0o640, 0o604]) {
    await chmod(join(folder, 'ca.key'), mode)
    await t.rejects(
      createAuthority({ folder, clock }),
      /others may read.*`0[0-7]{3}`; run chmod 600 /,
    )
  }
})

t.test('a key that does not fit the certificate is refused', async (t) => {
  const { folder } = await temporaryAuthority(t)
  const other = await temporaryAuthority(t)
  await copyFile(join(other.folder, 'ca.key'), join(folder, 'ca.key'))
  await t.rejects(createAuthority({ folder, clock }), /ca\.key: the key does not fit/)
})

t.test('half a CA is refused, never completed', async (t) => {
  for (const missing of ['ca.key', 'ca.pem']) {
    const { folder } = await temporaryAuthority(t)
    await rm(join(folder, missing))
    await t.rejects(createAuthority({ folder, clock }), new RegExp(`${missing}: missing, while `))
  }
})

t.test('files that are no certificate or key are refused by name', async (t) => {
  for (const [file, says] of [
    ['ca.key', /not a PEM private key/],
    ['ca.pem', /not a PEM certificate/],
  ] as const) {
    const { folder } = await temporaryAuthority(t)
    await writeFile(join(folder, file), 'nothing of the kind')
    await t.rejects(createAuthority({ folder, clock }), says)
  }
})

t.test('a leaf certificate does not pass for a CA', async (t) => {
  const { authority, folder } = await temporaryAuthority(t)
  await writeFile(join(folder, 'ca.pem'), (await authority.leaf('a.test')).cert)
  await t.rejects(createAuthority({ folder, clock }), /`CN=a\.test` is not the certificate of a CA/)
})

t.test('a CA that has run out is refused', async (t) => {
  const { folder } = await temporaryAuthority(t)
  const later = { now: () => Date.now() + 11 * 365 * 86_400_000 }
  await t.rejects(createAuthority({ folder, clock: later }), /the CA ran out on/)
})
