import t from 'tap'
import { createRig, EMPTY_INDEX, get, WITH_KEY } from './_owner.ts'

t.test('a receipt by its id', async (t) => {
  const rig = createRig()
  t.match(await get(rig, '/ledger/exchanges/r1.json', WITH_KEY), {
    status: 200,
    body: { id: 'r1', seq: 1 },
    headers: { 'cache-control': 'no-store' },
  })
  for (const url of [
    '/ledger/exchanges/r9.json',
    '/ledger/exchanges/r1',
    '/ledger/exchanges/.json',
  ]) {
    t.match(await get(rig, url, WITH_KEY), { status: 404, body: { code: 'not_found' } }, url)
  }
})

t.test('a receipt is looked for only after the index has caught up', async (t) => {
  const order: string[] = []
  const rig = createRig({
    index: {
      ...EMPTY_INDEX,
      get: async () => {
        order.push('get')
        return undefined
      },
      sync: async () => void order.push('sync'),
    },
  })
  await get(rig, '/ledger/exchanges/r1.json', WITH_KEY)
  t.strictSame(order, ['sync', 'get'])
})

t.test('a list takes every parameter of the query', async (t) => {
  const rig = createRig()
  const since = '2026-01-31T12:00:00Z'
  const query = `outcome=refused&tool=T&task=T-7&grant=g&code=expired&host=a.test&since=${since}&order=asc&limit=2&after=5`
  const answer = await get(rig, `/api/receipts?${query}`, WITH_KEY)
  t.match(answer, { status: 200, body: { receipts: [{ id: 'r1' }, { id: 'r2' }], next: 2 } })
  t.strictSame(rig.queries, [
    {
      where: {
        outcome: 'refused',
        tool: 'T',
        task: 'T-7',
        grant: 'g',
        code: 'expired',
        host: 'a.test',
        since,
      },
      order: 'asc',
      limit: 2,
      after: 5,
    },
  ])
})

t.test('a page that is not full is the last', async (t) => {
  const rig = createRig()
  t.match(await get(rig, '/api/receipts', WITH_KEY), { body: { next: null } })
  t.strictSame(rig.queries, [{ where: {}, order: 'desc', limit: 100 }])
})

t.test('unknown parameters are refused, all of them', async (t) => {
  const rig = createRig()
  const answer = await get(rig, '/api/receipts?outcom=refused&limit=0&__proto__=1', WITH_KEY)
  t.match(answer, { status: 400, body: { code: 'unknown_field' } })
  t.strictSame(
    (answer.body as { reasons: { axis: string }[] }).reasons.map((reason) => reason.axis),
    ['outcom', '__proto__'],
  )
  t.equal(rig.queries.length, 0)
})

t.test('values that do not fit are refused, all of them', async (t) => {
  const rig = createRig()
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=1e2',
    'after=-1',
    'order=up',
    'since=yesterday',
    'tool=',
    'tool=A&tool=B',
  ]) {
    t.match(
      await get(rig, `/api/receipts?${query}`, WITH_KEY),
      { status: 400, body: { code: 'malformed_request' } },
      query,
    )
  }
  const both = await get(rig, '/api/receipts?limit=0&order=up', WITH_KEY)
  t.equal((both.body as { reasons: unknown[] }).reasons.length, 2)
})
