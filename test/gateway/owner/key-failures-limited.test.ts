import t from 'tap'
import { createRig, get, WITH_KEY, type Rig } from './_owner.ts'

const fail = (rig: Rig, from: string) =>
  get(rig, '/api/status', { 'x-narrowgate-key': 'wrong' }, from)

t.test('ten failures a minute for each address, then 429 with Retry-After', async (t) => {
  const rig = createRig()
  for (let i = 0; i < 10; i += 1) t.equal((await fail(rig, '10.0.0.1')).status, 401)
  rig.time.now += 20_000
  const limited = await fail(rig, '10.0.0.1')
  t.match(limited, {
    status: 429,
    body: { code: 'rate_limited' },
    headers: { 'retry-after': '40' },
  })
  t.equal((await fail(rig, '10.0.0.2')).status, 401, 'another address is not concerned')
  rig.time.now += 40_000
  t.equal((await fail(rig, '10.0.0.1')).status, 401, 'a minute later it may try again')
})

t.test('nobody can lock the owner out', async (t) => {
  const rig = createRig()
  for (let i = 0; i < 30; i += 1) await fail(rig, '127.0.0.1')
  t.equal((await get(rig, '/api/status', WITH_KEY)).status, 200)
})
