import { createServer, type AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { examineDatabase } from '../../../adapters/postgres/database.ts'
import { startCluster } from '../../helpers/postgres.ts'
import { selfSigned } from '../upstream/helpers/certificate.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const port = await freePort()
const identity = await selfSigned('localhost')
const cluster = await startCluster(t, { port, ...identity })
if (cluster !== undefined) {
  const ca = join(t.testdir({}), 'ca.pem')
  writeFileSync(ca, identity.cert)
  const at = (host: string, parameters: string) =>
    examineDatabase(`postgres://postgres@${host}:${port}/postgres?${parameters}`)

  await t.test('a certificate for the name, by a CA that is trusted', async (t) => {
    t.match(await at('localhost', `sslmode=verify-full&sslrootcert=${ca}`), { schema: 0 })
  })

  await t.test('any other certificate is refused', async (t) => {
    await t.rejects(at('localhost', 'sslmode=verify-full'), /self.signed certificate/)
    // Not for this address, whatever the server is called elsewhere.
    await t.rejects(
      at('127.0.0.1', `sslmode=verify-full&sslrootcert=${ca}`),
      /127\.0\.0\.1 is not in the cert|does not match certificate/,
    )
  })

  await t.test('unchecked only where the address says so', async (t) => {
    t.match(await at('127.0.0.1', 'sslmode=require'), { schema: 0 })
  })
}
