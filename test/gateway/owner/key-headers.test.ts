import t from 'tap'
import { createRig, get, KEY } from './_owner.ts'

const names = ['x-team-key', 'x-other-key']
const rig = () => createRig({ keyHeaders: () => names })

t.test('the key is taken from each of the configured headers, and from no other', async (t) => {
  for (const name of names)
    t.equal((await get(rig(), '/api/status', { [name]: KEY })).status, 200, name)
  const answer = await get(rig(), '/api/status', { 'x-narrowgate-key': KEY })
  t.match(answer, { status: 401, body: { code: 'owner_key_missing' } })
  t.match(JSON.stringify(answer.body), 'x-team-key`, `x-other-key')
})

t.test('who sends several keys means all of them', async (t) => {
  const [one = '', other = ''] = names
  t.equal((await get(rig(), '/api/status', { [one]: KEY, [other]: KEY })).status, 200)
  for (const headers of [
    { [one]: KEY, [other]: 'wrong' },
    { [one]: 'wrong', [other]: KEY },
    { [one]: 'wrong', authorization: `Bearer ${KEY}` },
  ])
    t.match(await get(rig(), '/api/status', headers), {
      status: 401,
      body: { code: 'owner_key_wrong' },
    })
})

t.test('what is configured anew holds for the next request', async (t) => {
  const current = ['x-one']
  const rig = createRig({ keyHeaders: () => current })
  t.equal((await get(rig, '/api/status', { 'x-one': KEY })).status, 200)
  current[0] = 'x-two'
  t.equal((await get(rig, '/api/status', { 'x-one': KEY })).status, 401)
  t.equal((await get(rig, '/api/status', { 'x-two': KEY })).status, 200)
})
