import t from 'tap'
import { MANY, testBudget } from '../../../conformance/buckets/budget.ts'
import { startCluster } from '../../../helpers/postgres.ts'
import { openBuckets } from './rig.ts'

const cluster = await startCluster(t)
if (cluster !== undefined) {
  await t.test('a listing of 47,000 objects of 32 KB reads 16 MiB of bodies', async (t) => {
    const url = await cluster.createDatabase()
    const bucket = (await openBuckets(t, url)).bucket('a')
    await cluster.run(
      url,
      `INSERT INTO narrowgate.objects
       SELECT 'a', convert_to('k' || lpad(i::text, 5, '0'), 'UTF8'), 'v' || i, ${MANY.bytes}, 'e', 1, '{}', '{}', '{}',
         CASE WHEN i <= ${MANY.fit} THEN decode(repeat('00', ${MANY.bytes}), 'hex') ELSE '' END, NULL
       FROM generate_series(1, ${MANY.count}) AS i`,
    )
    await testBudget(t, bucket)
  })
}
