import t from 'tap'
import { nodeDigests } from '../../../gateway/digests.ts'
import { createIssuer } from '../../../gateway/issuer.ts'
import { leashLink, mintToken, narrowToken, verifyToken } from '../../../policy/index.ts'
import { BUILD_KEY, createRig, get, send, WITH_KEY } from './_owner.ts'

const LINES = ['tools = HTTP_GET', 'uses <= 5', 'task = T-1']

t.test('a grant is minted, recorded and listed', async (t) => {
  const rig = createRig()
  const { status, body } = await send(rig, 'POST', '/api/grants', { id: 'g_1', lines: LINES })
  const known = {
    id: 'g_1',
    minted: '2026-01-01T00:00:00.000Z',
    by: 'owner',
    task: 'T-1',
    lines: LINES,
    leash: [],
    revoked: null,
  }
  t.equal(status, 201)
  t.strictSame(body, { ...known, token: mintToken(BUILD_KEY, 'g_1', LINES) })
  t.strictSame((await get(rig, '/api/grants', WITH_KEY)).body, { grants: [known] })
})

t.test('an id is made where none is given, and a taken one is refused', async (t) => {
  const rig = createRig()
  const { body } = await send(rig, 'POST', '/api/grants', { lines: LINES })
  t.match(body['id'], /^g_[0-9a-z]{16}$/)
  const again = await send(rig, 'POST', '/api/grants', { id: body['id'], lines: LINES })
  t.match(again, { status: 409, body: { code: 'id_taken' } })
  t.equal((await rig.grants.list()).length, 1)
})

t.test('lines that may not stand in a token are refused, and nothing is recorded', async (t) => {
  const rig = createRig()
  for (const lines of [
    ['tool = HTTP_GET'],
    ['tools = HTTP_GET', 'keys = alice'],
    ['delegate = no', 'uses <= 1'],
  ]) {
    const answer = await send(rig, 'POST', '/api/grants', { lines })
    t.match(answer, { status: 400, body: { code: 'malformed_request' } }, lines.join('; '))
    const [reason] = answer.body['reasons'] as { caveat?: string; got: string }[]
    t.ok(lines.includes(reason?.caveat ?? ''), 'the line is named')
  }
  t.strictSame(await rig.grants.list(), [])
})

t.test('a body is read to the letter', async (t) => {
  const rig = createRig()
  const asked = (body: object) => send(rig, 'POST', '/api/grants', body)
  t.match(await asked({ lines: LINES, line: 1, __proto_: 2 }), {
    status: 400,
    body: { code: 'unknown_field', reasons: [{ axis: 'body.line' }, { axis: 'body.__proto_' }] },
  })
  t.match(await asked({}), {
    status: 400,
    body: { code: 'malformed_request', reasons: [{ axis: 'body.lines', got: 'nothing' }] },
  })
  for (const lines of [[], 'tools = A', [1], [''], Array(65).fill('uses <= 1'), [null]])
    t.match(await asked({ lines }), { status: 400, body: { code: 'malformed_request' } })
  t.strictSame(await rig.grants.list(), [])
})

t.test('a token is narrowed, and the ledger told', async (t) => {
  const rig = createRig()
  const token = mintToken(BUILD_KEY, 'g_1', LINES)
  const lines = ['uses <= 1', 'ways = proxy']
  const { status, body } = await send(rig, 'POST', '/api/grants/narrow', { token, lines })
  t.equal(status, 200)
  const narrowed = narrowToken(token, lines)
  const { link } = verifyToken(narrowed, [BUILD_KEY])
  t.strictSame(body, { id: 'g_1', link, token: narrowed })
  t.strictSame(rig.recorded, [{ event: 'grant_narrowed', subject: 'g_1', data: { link, lines } }])
})

t.test('what does not verify, or may not be narrowed so, is not narrowed', async (t) => {
  const rig = createRig()
  const token = mintToken(BUILD_KEY, 'g_1', LINES)
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  for (const [given, lines] of [
    [forged, ['uses <= 1']],
    ['no token', ['uses <= 1']],
    [token, ['keys = alice']],
    [token, ['task = T-2']],
  ] as const) {
    const answer = await send(rig, 'POST', '/api/grants/narrow', { token: given, lines })
    t.match(answer, { status: 400, body: { code: 'malformed_request' } }, lines.join())
    t.notMatch(JSON.stringify(answer.body), token.split('.')[2] ?? '')
  }
  t.strictSame(rig.recorded, [])
})

t.test('a grant tells its chain, counters, leash, children and receipts', async (t) => {
  const rig = createRig()
  await send(rig, 'POST', '/api/grants', { id: 'g_1', lines: LINES })
  const own = verifyToken(mintToken(BUILD_KEY, 'g_1', LINES), [BUILD_KEY])
  const leash = leashLink('g_1', 0)
  await send(rig, 'POST', '/api/grants/g_1/leash', { lines: ['uses <= 2'] })
  await rig.uses.reserve([...own.uses, { link: leash, limit: 2 }])
  const { status, body } = await get(rig, '/api/grants/g_1', WITH_KEY)
  t.equal(status, 200)
  t.match(body, {
    id: 'g_1',
    revoked: null,
    chain: LINES.map((line, at) => ({ line, says: /./, link: own.links[at + 1] })),
    leash: [{ line: 'uses <= 2', says: /at most 2 calls/ }],
    uses: [
      { link: own.links[2], limit: 5, used: 1, leash: false },
      { link: leash, limit: 2, used: 1, leash: true },
    ],
    children: [],
    receipts: { counts: { allowed: 2 }, latest: [{ id: 'r1' }, { id: 'r2' }] },
  })
  t.strictSame(rig.queries, [{ where: { grant: 'g_1' }, limit: 20 }])
  t.match(await get(rig, '/api/grants/g_9', WITH_KEY), { status: 404, body: { code: 'not_found' } })
})

t.test('a grant is revoked, by its id or from a link on', async (t) => {
  const rig = createRig()
  await send(rig, 'POST', '/api/grants', { id: 'g_1', lines: LINES })
  const link = 'A'.repeat(22)
  const revoke = (id: string, body = {}) => send(rig, 'POST', `/api/grants/${id}/revoke`, body)
  t.strictSame((await revoke('g_1', { link })).body, { revoked: link, fresh: true, known: true })
  t.equal(rig.grants.revoked('g_1', []), undefined)
  t.equal(rig.grants.revoked('g_1', [link]), link)
  t.strictSame((await revoke('g_1')).body, { revoked: 'g_1', fresh: true, known: true })
  t.strictSame((await revoke('g_1')).body, { revoked: 'g_1', fresh: false, known: true })
  t.strictSame((await revoke('g_2')).body, { revoked: 'g_2', fresh: true, known: false })
  t.match(await revoke('g_1', { link: 'short' }), { status: 400 })
})

t.test('an id may hold whatever an id may hold', async (t) => {
  const rig = createRig()
  const id = `${'/%?#é '.repeat(21)}ü!`
  await send(rig, 'POST', '/api/grants', { id, lines: LINES })
  const path = encodeURIComponent(id)
  t.match(await get(rig, `/api/grants/${path}`, WITH_KEY), { status: 200, body: { id } })
  t.match((await send(rig, 'POST', `/api/grants/${path}/revoke`)).body, { revoked: id })
})

t.test('a token that would be too long to be read is not given out', async (t) => {
  const rig = createRig()
  const long = Array<string>(3).fill(`tools = ${'X'.repeat(3000)}`)
  const minted = await send(rig, 'POST', '/api/grants', { id: 'g_1', lines: long })
  t.match(minted, {
    status: 400,
    body: { code: 'malformed_request', reasons: [{ got: /longer than 8192 bytes/ }] },
  })
  t.strictSame(await rig.grants.list(), [], 'and nothing is recorded')
  const token = mintToken(BUILD_KEY, 'g_1', LINES)
  const narrowed = await send(rig, 'POST', '/api/grants/narrow', { token, lines: long })
  t.match(narrowed, {
    status: 400,
    body: { code: 'malformed_request', reasons: [{ got: /longer than 8192 bytes/ }] },
  })
  t.strictSame(rig.recorded, [])
})

t.test(
  'a grant is shown that is longer than the usual limit, or than the present one',
  async (t) => {
    const lines = Array.from({ length: 3 }, (_, at) => `tools = ${String(at).repeat(3000)}`)
    for (const maxBytes of [16_384, 4_096]) {
      const options = { keys: () => [BUILD_KEY] as const, digests: nodeDigests, maxBytes }
      const rig = createRig({ issuer: createIssuer(options) })
      await rig.grants.recordMinted({
        id: 'g_1',
        lines,
        minted: '2026-01-01T00:00:00Z',
        by: 'owner',
      })
      const { status, body } = await get(rig, '/api/grants/g_1', WITH_KEY)
      t.equal(status, 200, `${maxBytes} bytes`)
      t.match(body, { chain: lines.map((line) => ({ line, link: /^[\w-]{22}$/ })) })
    }
  },
)

t.test('an id that no grant can have is refused before a store is asked', async (t) => {
  const rig = createRig()
  const asked = (id: string) => [
    get(rig, `/api/grants/${id}`, WITH_KEY),
    send(rig, 'POST', `/api/grants/${id}/revoke`, {}),
    send(rig, 'POST', `/api/grants/${id}/leash`, { lines: ['uses <= 1'] }),
    send(rig, 'POST', `/api/grants/${id}/send`, { token: 'g1', to: 'a' }),
  ]
  for (const id of ['%00', 'a%00b', '%7F', '%E2%80%A8', 'x'.repeat(129)])
    for (const answer of await Promise.all(asked(id)))
      t.match(answer, { status: 400, body: { code: 'malformed_request' } }, id)
  t.strictSame(rig.logged, [])
  t.equal((await get(rig, `/api/grants/${'%F0%9F%98%80'.repeat(100)}`, WITH_KEY)).status, 404)
})
