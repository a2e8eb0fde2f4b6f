import t from 'tap'
import { createRig, get, KEY, WITH_KEY } from './_owner.ts'

t.test('without a key nothing but health and metrics is told', async (t) => {
  const rig = createRig()
  for (const url of [
    '/api/status',
    '/api/receipts',
    '/api/grants/axes',
    '/ledger/exchanges/r1.json',
    '/nowhere',
  ]) {
    const answer = await get(rig, url)
    t.match(
      answer,
      { status: 401, type: 'application/problem+json', body: { code: 'owner_key_missing' } },
      url,
    )
  }
})

t.test('the key is taken from either header', async (t) => {
  const rig = createRig()
  t.equal((await get(rig, '/api/status', WITH_KEY)).status, 200)
  t.equal((await get(rig, '/api/status', { authorization: `Bearer ${KEY}` })).status, 200)
})

t.test('another key is refused, and so is a part of the right one', async (t) => {
  const rig = createRig()
  for (const key of ['wrong', KEY.slice(0, -1), `${KEY}x`, '']) {
    const answer = await get(rig, '/api/status', { 'x-narrowgate-key': key })
    t.match(answer, { status: 401, body: { code: 'owner_key_wrong' } })
    t.notOk(JSON.stringify(answer).includes(KEY))
  }
})

t.test('health and metrics need no key on loopback, and need it elsewhere', async (t) => {
  const rig = createRig()
  for (const url of ['/healthz', '/readyz', '/metrics']) {
    for (const here of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      t.equal((await get(rig, url, {}, here)).status, 200, `${url} from ${here}`)
    }
    for (const elsewhere of ['10.0.0.9', '::ffff:10.0.0.9', '2001:db8::1']) {
      t.equal((await get(rig, url, {}, elsewhere)).status, 401, `${url} from ${elsewhere}`)
      t.equal((await get(rig, url, WITH_KEY, elsewhere)).status, 200)
    }
  }
})
