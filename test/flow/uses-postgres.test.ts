import t from 'tap'
import { startCluster } from '../helpers/postgres.ts'
import { testUses } from './_uses.ts'

const cluster = await startCluster(t)
if (cluster !== undefined) {
  const url = { command: ['/bin/echo', await cluster.createDatabase()] }
  await testUses({ grants: { driver: 'postgres', url } })
}
