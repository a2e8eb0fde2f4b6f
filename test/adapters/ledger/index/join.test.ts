import t from 'tap'
import { addExchange, openBoth } from './rig.ts'

t.test('intent and outcome are one receipt, its fields in the order of the format', async (t) => {
  const { log, index } = await openBoth(t)
  const upstream = { method: 'GET', url: 'https://api.example.test/v1' }
  await addExchange(
    log,
    { id: 'x', opened: '2026-11-29T12:00:00.000Z', tool: 'HTTP_GET', upstream, door: 'proxy' },
    {
      outcome: 'allowed',
      status: 200,
      closed: '2026-11-29T12:00:01.000Z',
      upstream: { address: '192.0.2.1:443' },
    },
  )
  await index.sync()
  const receipt = await index.get('x')
  t.strictSame(receipt, {
    id: 'x',
    seq: 1,
    opened: '2026-11-29T12:00:00.000Z',
    closed: '2026-11-29T12:00:01.000Z',
    door: 'proxy',
    tool: 'HTTP_GET',
    upstream: { ...upstream, address: '192.0.2.1:443' },
    outcome: 'allowed',
    status: 200,
  })
  t.same(Object.keys(receipt ?? {}).slice(0, 4), ['id', 'seq', 'opened', 'closed'])
})

t.test('an exchange is open until its outcome comes', async (t) => {
  const { log, index } = await openBoth(t)
  const intent = await log.intent({ id: 'x' })
  await index.sync()
  t.equal((await index.get('x'))?.outcome, 'open')
  await log.outcome(intent, { outcome: 'gone' })
  await index.sync()
  t.equal((await index.get('x'))?.outcome, 'gone')
  t.equal(index.lag(), 0)
})

t.test('an outcome that is indexed later than its intent gives the same columns', async (t) => {
  const { log, index } = await openBoth(t)
  const begin = (id: string) =>
    log.intent({ id, tool: 'HTTP_GET', task: 'T-7', upstream: { url: 'https://a.example.test/' } })
  const intents = [await begin('plain'), await begin('refused'), await begin('moved')] as const
  await index.sync()
  await log.outcome(intents[0], { outcome: 'allowed' })
  await log.outcome(intents[1], { outcome: 'failed', reasons: [{ code: 'upstream_timeout' }] })
  await log.outcome(intents[2], {
    outcome: 'allowed',
    tool: 'HTTP_POST',
    upstream: { url: 'https://b.example.test/' },
  })
  await index.sync()
  const idsOf = async (where: Readonly<Record<string, string>>) =>
    (await index.list({ where, order: 'asc' })).map(({ id }) => id)
  t.same(await idsOf({ task: 'T-7', outcome: 'allowed' }), ['plain', 'moved'])
  t.same(await idsOf({ tool: 'HTTP_GET', host: 'a.example.test' }), ['plain', 'refused'])
  t.same(await idsOf({ tool: 'HTTP_POST', host: 'b.example.test' }), ['moved'])
  t.same(await idsOf({ code: 'upstream_timeout' }), ['refused'])
})

t.test('the first outcome stands, also one that is indexed later', async (t) => {
  const { log, index } = await openBoth(t)
  const intent = await log.intent({ id: 'x' })
  for (const outcome of ['failed', 'allowed', 'gone']) {
    await log.outcome(intent, { outcome })
    await index.sync()
  }
  t.equal((await index.get('x'))?.outcome, 'failed')
})

t.test('the first outcome stands', async (t) => {
  const { log, index } = await openBoth(t)
  const intent = await log.intent({ id: 'x' })
  await log.outcome(intent, { outcome: 'failed' })
  await log.outcome(intent, { outcome: 'allowed' })
  await index.sync()
  t.equal((await index.get('x'))?.outcome, 'failed')
})

t.test('a refusal is a receipt of its own', async (t) => {
  const { log, index } = await openBoth(t)
  await log.refusal({ id: 'r', ran: false, reasons: [{ axis: 'tools', code: 'tool_not_granted' }] })
  await index.sync()
  t.match(await index.get('r'), { outcome: 'refused', ran: false })
  t.equal((await index.list({ where: { code: 'tool_not_granted' } })).length, 1)
})

t.test('events share the sequence and come in its order', async (t) => {
  const { log, index } = await openBoth(t)
  await log.event({ event: 'gateway_started', subject: 's', actor: 'gateway' })
  await addExchange(log, { id: 'x' })
  await log.event({ event: 'grant_minted', subject: 'g', actor: 'owner' })
  await index.sync()
  const at = '2026-11-29T12:00:00.000Z'
  const first = { seq: 1, at, event: 'gateway_started', subject: 's', actor: 'gateway' }
  const second = { seq: 3, at, event: 'grant_minted', subject: 'g', actor: 'owner' }
  t.strictSame(await index.events({}), [first, second])
  t.strictSame(await index.events({ after: 1, limit: 1 }), [second])
})

t.test('an id that is not there is undefined', async (t) => {
  const { index } = await openBoth(t)
  t.equal(await index.get('nobody'), undefined)
})
