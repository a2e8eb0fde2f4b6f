import t from 'tap'
import { createRig, get, WITH_KEY } from './_owner.ts'

t.test('the axes are told without the code behind them', async (t) => {
  const axis = {
    name: 'uses',
    ops: ['<='],
    value: '0 to 9',
    says: 'fewer calls',
    example: 'uses <= 5',
  } as const
  const rig = createRig({ axes: [{ ...axis, read: () => 'not for you' } as typeof axis] })
  t.strictSame((await get(rig, '/api/grants/axes', WITH_KEY)).body, { axes: [axis] })
})

t.test('status', async (t) => {
  const rig = createRig()
  rig.time.now += 61_500
  t.match((await get(rig, '/api/status', WITH_KEY)).body, {
    version: '1.2.3',
    configuration: 'c0ffee',
    started: '2026-01-01T00:00:00.000Z',
    uptime_seconds: 61,
    not_ready: [],
    ledger: {
      mode: 'strict',
      ready: { ok: true },
      head: { writer: 'w_1', n: 7 },
      records: 7,
      syncs: 3,
      lag: 4,
      checkpoint: { size: 7, fault: undefined },
      anchor: { backlog: 2, away: false, forks: [] },
    },
  })
  const { proofs } = rig.ports
  const damaged = createRig({ proofs: { ...proofs, fault: () => 'record 3' }, anchor: undefined })
  const { body } = await get(damaged, '/api/status', WITH_KEY)
  t.match(body, { ledger: { checkpoint: { size: 7, fault: 'record 3' }, anchor: undefined } })
})

t.test('an address that is not there', async (t) => {
  t.match(await get(createRig(), '/nowhere', WITH_KEY), {
    status: 404,
    type: 'application/problem+json',
    body: { code: 'not_found' },
  })
})

t.test('other methods are refused before their body is read', async (t) => {
  const { app } = createRig()
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const headers = { ...WITH_KEY, host: '127.0.0.1', 'content-type': 'text/strange' }
    const answer = await app.inject({ method, url: '/api/status', headers, payload: 'x' })
    t.equal(answer.statusCode, 405, method)
    t.equal(answer.headers['allow'], 'GET, HEAD')
    t.equal(answer.json<{ code: string }>().code, 'method_not_allowed')
  }
})

t.test('HEAD is answered as GET without its body', async (t) => {
  const answer = await createRig().app.inject({
    method: 'HEAD',
    url: '/healthz',
    headers: { host: 'localhost' },
  })
  t.equal(answer.statusCode, 200)
  t.equal(answer.body, '')
})

t.test('a fault is logged, and its text is not told', async (t) => {
  const rig = createRig({
    configVersion: () => {
      throw new Error('inner workings')
    },
  })
  const answer = await get(rig, '/api/status', WITH_KEY)
  t.match(answer, { status: 500, body: { code: 'internal_error' } })
  t.notMatch(JSON.stringify(answer), 'inner workings')
  t.equal(rig.logged.length, 1)
})

t.test('a path that cannot be decoded is a malformed request', async (t) => {
  t.match(await get(createRig(), '/ledger/exchanges/%zz.json', WITH_KEY), {
    status: 400,
    type: 'application/problem+json',
    body: { code: 'malformed_request' },
  })
})
