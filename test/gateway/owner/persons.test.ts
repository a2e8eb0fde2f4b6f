import t from 'tap'
import { createRig, get, send, WITH_KEY } from './_owner.ts'

const VALUE = 'a-key-of-alice-1234567'

t.test('a person is made once, with an id of one’s own or a made one', async (t) => {
  const rig = createRig()
  t.match(await send(rig, 'POST', '/api/persons', { id: 'alice' }), {
    status: 201,
    body: { id: 'alice', created: '2026-01-01T00:00:00.000Z', keys: [] },
  })
  t.match(await send(rig, 'POST', '/api/persons', { id: 'alice' }), {
    status: 409,
    body: { code: 'id_taken' },
  })
  t.match((await send(rig, 'POST', '/api/persons')).body, { id: /^p_[0-9a-z]{16}$/ })
  for (const id of ['', 'a b', 'a,b', '-a', 'a/b', 'é'])
    t.match(await send(rig, 'POST', '/api/persons', { id }), { status: 400 }, id)
  const { body } = await get(rig, '/api/persons', WITH_KEY)
  t.equal((body as { persons: unknown[] }).persons.length, 2)
})

t.test('a session is signed for a person there is', async (t) => {
  const rig = createRig()
  await send(rig, 'POST', '/api/persons', { id: 'alice' })
  t.match(await send(rig, 'POST', '/api/persons/alice/session', { seconds: 60 }), {
    status: 201,
    body: { person: 'alice', session: /^ns1\./, expires: '2026-01-01T00:01:00.000Z' },
  })
  t.match((await send(rig, 'POST', '/api/persons/alice/session')).body, {
    expires: '2026-01-01T08:00:00.000Z',
  })
  t.match(await send(rig, 'POST', '/api/persons/bob/session'), {
    status: 404,
    body: { code: 'not_found' },
  })
  for (const seconds of [0, 59, 2592001, 60.5, '60'])
    t.equal((await send(rig, 'POST', '/api/persons/alice/session', { seconds })).status, 400)
  t.strictSame(
    rig.recorded.map(({ event, subject }) => `${event} ${subject}`),
    ['person_created alice', 'signed_in alice', 'signed_in alice'],
  )
  t.notMatch(JSON.stringify(rig.recorded), 'ns1.')
})

t.test('a key is stored under a configured name, and comes out nowhere', async (t) => {
  const rig = createRig()
  await send(rig, 'POST', '/api/persons', { id: 'alice' })
  const put = (path: string, body: object = { value: VALUE }) => send(rig, 'PUT', path, body)
  const answer = await put('/api/persons/alice/keys/github-key')
  t.strictSame(answer, { status: 200, body: { person: 'alice', name: 'github-key' } })
  t.strictSame(rig.stored, [`alice github-key ${VALUE}`])
  t.notMatch(JSON.stringify([answer, rig.recorded]), VALUE)
  t.match(await put('/api/persons/alice/keys/other'), { status: 404, body: { code: 'not_found' } })
  t.match(await put('/api/persons/bob/keys/github-key'), { status: 404 })
  for (const value of ['short', `${VALUE}\n`, ` ${VALUE}`, `${VALUE}é`, 7]) {
    const refused = await put('/api/persons/alice/keys/github-key', { value })
    t.match(refused, { status: 400, body: { code: 'malformed_request' } })
    t.notMatch(JSON.stringify(refused), VALUE, 'what was sent is not shown')
  }
  t.equal(rig.stored.length, 1)
})

t.test('without a key to seal them under, none is taken', async (t) => {
  const rig = createRig({
    personKeys: { usable: () => false, names: () => [], store: async () => undefined },
  })
  await send(rig, 'POST', '/api/persons', { id: 'alice' })
  t.match(await send(rig, 'PUT', '/api/persons/alice/keys/github-key', { value: VALUE }), {
    status: 400,
    body: { code: 'not_supported' },
  })
})
