import t from 'tap'
import { createRig, get } from './_owner.ts'

t.test('readiness lists what is not ready, and liveness does not care', async (t) => {
  const missing: string[] = ['configuration', 'keys', 'ca', 'ledger', 'cedar']
  const rig = createRig({ notReady: () => missing })
  const answer = await get(rig, '/readyz')
  t.match(answer, { status: 503, type: 'application/problem+json', body: { code: 'not_ready' } })
  t.strictSame(
    (answer.body as { reasons: { axis: string }[] }).reasons.map((reason) => reason.axis),
    missing,
  )
  t.equal((await get(rig, '/healthz')).status, 200)
  missing.length = 0
  t.match(await get(rig, '/readyz'), { status: 200, body: { ready: true } })
})

t.test('metrics are the registry’s text', async (t) => {
  const answer = await get(createRig(), '/metrics')
  t.match(answer, { status: 200, type: /^text\/plain/, body: 'narrowgate_up 1\n' })
})
