import t from 'tap'
import { mintToken, verifyToken } from '../../../policy/index.ts'
import { BUILD_KEY, createRig, send } from './_owner.ts'

const token = mintToken(BUILD_KEY, 'g_1', ['uses <= 3'])
const { link } = verifyToken(token, [BUILD_KEY])
const body = { token, to: 'alice@example.com' }

t.test('the link goes to the configured way, and the ledger is told before', async (t) => {
  const rig = createRig()
  const answer = await send(rig, 'POST', '/api/grants/g_1/send', body)
  t.match(answer, { status: 200, body: { id: 'g_1', link, to: body.to } })
  t.strictSame(rig.sent, [{ link: `https://gate.test/g/${token}`, to: body.to }])
  t.strictSame(rig.recorded, [{ event: 'grant_sent', subject: 'g_1', data: { link, to: body.to } }])
  t.notMatch(JSON.stringify([answer.body, rig.recorded]), token, 'the token shows nowhere else')
})

t.test('what cannot be recorded is not sent', async (t) => {
  const rig = createRig({ record: () => Promise.reject(new Error('the disk is full')) })
  t.equal((await send(rig, 'POST', '/api/grants/g_1/send', body)).status, 500)
  t.strictSame(rig.sent, [])
})

t.test('a token of another grant, or of nobody, is not sent', async (t) => {
  const rig = createRig()
  for (const [id, given] of [
    ['g_2', token],
    ['g_1', `${token}x`],
  ] as const)
    t.match(await send(rig, 'POST', `/api/grants/${id}/send`, { ...body, token: given }), {
      status: 400,
      body: { code: 'malformed_request' },
    })
  t.match(await send(rig, 'POST', '/api/grants/g_1/send', { ...body, to: 'a\nb' }), { status: 400 })
  t.strictSame(rig.sent, [])
})

t.test('without a way, and with one that fails, it says so', async (t) => {
  const none = createRig({ sending: () => undefined })
  t.match(await send(none, 'POST', '/api/grants/g_1/send', body), {
    status: 400,
    body: { code: 'not_supported' },
  })
  const broken = createRig({
    sending: () => ({ base: 'https://gate.test', send: () => Promise.reject(new Error('exit 3')) }),
  })
  t.match(await send(broken, 'POST', '/api/grants/g_1/send', body), {
    status: 502,
    body: { code: 'send_failed', reasons: [{ got: 'exit 3' }] },
  })
})
