import t from 'tap'
import type { ReceiptQuery } from '../../../../adapters/ledger/port.ts'
import { addExchange, openBoth } from './rig.ts'

t.test('queries', async (t) => {
  const { log, index } = await openBoth(t)
  const opened = (second: number) => `2026-11-29T12:00:0${second}.000Z`
  const url = 'https://api.example.test/v1'
  await addExchange(log, {
    id: '1',
    task: 'T-7',
    tool: 'HTTP_GET',
    grant: 'g1',
    opened: opened(1),
    upstream: { url },
  })
  await addExchange(
    log,
    { id: '2', task: 'T-7/3', tool: 'HTTP_POST', grant: 'g1', opened: opened(2) },
    { outcome: 'failed' },
  )
  await addExchange(log, {
    id: '3',
    task: 'T-70',
    tool: 'HTTP_GET',
    grant: 'g2',
    opened: opened(3),
  })
  await log.refusal({
    id: '4',
    task: 'T-7/3/1',
    code: 'expired',
    envelope: { args: { host: 'other.test' } },
    opened: opened(4),
  })
  await log.intent({ id: '5', task: 'T-7-0', opened: opened(5) })
  await index.sync()
  const ids = async (query: ReceiptQuery) => (await index.list(query)).map(({ id }) => id)

  const cases: readonly (readonly [string, ReceiptQuery, readonly string[]])[] = [
    ['all, the most recent first', {}, ['5', '4', '3', '2', '1']],
    ['in order', { order: 'asc' }, ['1', '2', '3', '4', '5']],
    ['a task covers its sub-tasks and nothing else', { where: { task: 'T-7' } }, ['4', '2', '1']],
    ['a sub-task', { where: { task: 'T-7/3' } }, ['4', '2']],
    ['outcome', { where: { outcome: 'failed' } }, ['2']],
    ['open', { where: { outcome: 'open' } }, ['5']],
    ['tool and grant', { where: { tool: 'HTTP_GET', grant: 'g1' } }, ['1']],
    ['code', { where: { code: 'expired' } }, ['4']],
    ['host of the URL', { where: { host: 'api.example.test' } }, ['1']],
    ['host of the arguments', { where: { host: 'other.test' } }, ['4']],
    ['since, in another spelling', { where: { since: '2026-11-29T13:00:04+01:00' } }, ['5', '4']],
    ['limit', { limit: 2 }, ['5', '4']],
    ['after, downwards', { after: 3 }, ['2', '1']],
    ['after, upwards', { after: 3, order: 'asc' }, ['4', '5']],
    ['nothing', { where: { task: "T-7' OR 1=1 --" } }, []],
  ]
  for (const [name, query, wanted] of cases) {
    t.test(name, async (t) => t.same(await ids(query), wanted))
  }

  t.test('counts', async (t) => {
    t.same(await index.counts({}), { allowed: 2, failed: 1, refused: 1, open: 1 })
    t.same(await index.counts({ task: 'T-7' }), { allowed: 1, failed: 1, refused: 1 })
    t.same(await index.counts({ grant: 'g2' }), { allowed: 1 })
  })

  t.test('a wrong limit or time is refused with its repair', async (t) => {
    await t.rejects(index.list({ limit: 0 }), /limit must be 1 to 1000, got `0`/)
    await t.rejects(index.list({ limit: 1001 }), /got `1001`/)
    await t.rejects(index.list({ where: { since: 'yesterday' } }), /got `yesterday`/)
  })
})
