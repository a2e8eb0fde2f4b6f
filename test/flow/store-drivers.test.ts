import t from 'tap'
import type { Test } from 'tap'
import { bytesOfLength, digest } from '../conformance/buckets/store.ts'
import { flowIn, portOf, type TestGateway } from '../helpers/gateway.ts'
import { startCluster } from '../helpers/postgres.ts'
import { startR2 } from '../helpers/r2.ts'

const SIZES = [10, 300_000]

/** Where a secret of the configuration comes from. */
const secret = (text: string) => ({ command: ['printf', '%s', text] })

function asker({ gateway, mint }: TestGateway) {
  const base = `http://127.0.0.1:${portOf(gateway.addresses.proxy)}/api/store`
  const authorization = `Bearer ${mint('tools = STORE_*')}`
  return (method: string, path: string, body?: Uint8Array) =>
    fetch(`${base}/${path}`, {
      method,
      headers: { authorization },
      ...(body === undefined ? {} : { body }),
    })
}

/** What a holder stores in a bucket comes back, is listed and is gone again. */
async function checkBucket(t: Test, gateway: TestGateway, bucket: string): Promise<void> {
  const ask = asker(gateway)
  for (const size of SIZES) {
    const bytes = bytesOfLength(size)
    t.equal((await ask('PUT', `${bucket}/a/${size}`, bytes)).status, 200)
    const got = await ask('GET', `${bucket}/a/${size}`)
    t.ok(Buffer.from(await got.arrayBuffer()).equals(bytes), `${bucket}: ${size} bytes`)
    const etag = `"${digest('md5', bytes)}"`
    t.equal(got.headers.get('etag'), etag)
  }
  const list = (await (await ask('GET', `${bucket}?prefix=a/`)).json()) as {
    readonly objects: readonly { readonly size: number }[]
  }
  t.strictSame(
    list.objects.map(({ size }) => size),
    SIZES,
  )
  t.equal((await ask('DELETE', `${bucket}/a/10`)).status, 204)
  t.equal((await ask('GET', `${bucket}/a/10`)).status, 404)
}

await t.test('buckets in PostgreSQL, and one of them to read alone', async (t) => {
  const cluster = await startCluster(t)
  if (cluster === undefined) return
  const url = secret(await cluster.createDatabase())
  const buckets = [
    { name: 'shared', driver: 'postgres', url },
    { name: 'shown', driver: 'postgres', url, read_only: true },
  ]
  await flowIn(t, { config: { buckets } }, async (t, gateway) => {
    await checkBucket(t, gateway, 'shared')
    const put = await asker(gateway)('PUT', 'shown/x', bytesOfLength(1))
    t.strictSame([put.status, ((await put.json()) as { code: string }).code], [403, 'read_only'])
    t.equal((await asker(gateway)('GET', 'default/x')).status, 404, 'no bucket of this name')
    await cluster.stop()
    const down = await asker(gateway)('GET', 'shared/a/300000')
    t.strictSame([down.status, down.headers.get('refused')], [502, 'upstream_failed'])
    t.notMatch(await down.text(), /postgres|ng-pg/, 'and nothing is told of the place')
    await cluster.start()
  })
})

await t.test('a bucket in S3', async (t) => {
  const r2 = await startR2(t, 1)
  if (r2 === undefined) return
  const { endpoint, accessKeyId, secretAccessKey } = r2.s3
  const reach = {
    driver: 's3',
    endpoint,
    bucket: r2.freshBucket(),
    access_key_id: secret(accessKeyId),
  }
  const buckets = [
    { ...reach, name: 'artifacts', secret_access_key: secret(secretAccessKey) },
    { ...reach, name: 'wrong', secret_access_key: secret('another-secret-access-key') },
  ]
  await flowIn(t, { config: { buckets } }, async (t, gateway) => {
    await checkBucket(t, gateway, 'artifacts')
    const refused = await asker(gateway)('GET', 'wrong/a/300000')
    t.strictSame([refused.status, refused.headers.get('refused')], [502, 'upstream_failed'])
    const seen = (await refused.text()) + JSON.stringify(gateway.records())
    t.notMatch(seen, /secret-access-key|cdn-cgi/, 'neither the key nor the place')
  })
})
