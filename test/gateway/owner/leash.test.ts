import t from 'tap'
import { createRig, get, send, WITH_KEY } from './_owner.ts'

const leash = (rig: ReturnType<typeof createRig>, lines: readonly string[], id = 'g_1') =>
  send(rig, 'POST', `/api/grants/${id}/leash`, { lines })

t.test('lines are appended to what is there, and told in plain words', async (t) => {
  const rig = createRig()
  await send(rig, 'POST', '/api/grants', { id: 'g_1', lines: ['tools = HTTP_*'] })
  t.match(await leash(rig, ['tools = HTTP_GET']), { status: 200, body: { known: true } })
  t.match((await leash(rig, ['uses <= 3'])).body, {
    id: 'g_1',
    leash: [
      { line: 'tools = HTTP_GET', says: /./ },
      { line: 'uses <= 3', says: /at most 3 calls/ },
    ],
  })
  t.strictSame(rig.grants.leashOf('g_1'), ['tools = HTTP_GET', 'uses <= 3'])
})

t.test('a grant that was minted elsewhere takes a leash too, and the answer says so', async (t) => {
  const rig = createRig()
  t.match((await leash(rig, ['uses <= 3'], 'g_9')).body, { known: false })
  t.match((await leash(rig, ['uses <= 2'], 'g_9')).body, {
    leash: [{ line: 'uses <= 3' }, { line: 'uses <= 2' }],
  })
})

t.test('a line that could not narrow is refused, and so are more than 64', async (t) => {
  const rig = createRig()
  for (const line of [
    'keys = alice',
    'task = T-1',
    'delegate = no',
    'tool = HTTP_GET',
    ' uses <= 1',
  ])
    t.match(
      await leash(rig, ['uses <= 9', line]),
      { status: 400, body: { code: 'malformed_request', reasons: [{ caveat: line }] } },
      line,
    )
  t.equal(rig.grants.leashOf('g_1'), undefined, 'none of the lines was appended')
  t.equal((await leash(rig, Array(64).fill('uses <= 9'))).status, 200)
  t.match(await leash(rig, ['uses <= 9']), { status: 400 })
})

t.test('lines put on a grant at once do not exceed 64 together', async (t) => {
  const { grants } = createRig()
  await grants.recordMinted({ id: 'g_1', lines: ['tools = HTTP_*'], minted: '', by: 'owner' })
  let asked = 0
  let bothAsked = () => {}
  const both = new Promise<void>((resolve) => (bothAsked = resolve))
  const get = async (id: string) => {
    const found = await grants.get(id)
    asked += 1
    if (asked === 2) bothAsked()
    await both
    return found
  }
  const rig = createRig({ grants: { ...grants, get } })
  const lines = Array(40).fill('uses <= 9')
  const answers = await Promise.all([leash(rig, lines), leash(rig, lines)])
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.match(answers.find(({ status }) => status === 400)?.body, {
    code: 'malformed_request',
    reasons: [{ got: /at most 64 lines/ }],
  })
  t.equal(grants.leashOf('g_1')?.length, 40)
})

t.test('a leash that this version cannot read is shown with its grant', async (t) => {
  const rig = createRig()
  await send(rig, 'POST', '/api/grants', { id: 'g_1', lines: ['tools = HTTP_*', 'uses <= 3'] })
  await rig.grants.leash('g_1', ['weather = fine'], { by: 'a newer version', now: 0 })
  t.match(await get(rig, '/api/grants/g_1', WITH_KEY), {
    status: 200,
    body: {
      leash: [{ line: 'weather = fine', says: /refuses every call/ }],
      uses: [{ limit: 3, used: 0 }],
    },
  })
})
