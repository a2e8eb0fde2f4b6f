import t from 'tap'
import { createConfigHolder, type Config, type Problem } from '../../../gateway/config/index.ts'
import { goodConfig } from './_config.ts'

const snapshotOf = (text: string): { readonly config: Config } => ({ config: goodConfig(text) })
const problem: Problem = { path: 'state', got: '`5`', repair: 'write a text' }

t.test('a good configuration takes the place of the old one', async (t) => {
  const [before, after] = [snapshotOf(''), snapshotOf('unknown_hosts: refuse')]
  const holder = createConfigHolder(before, async () => ({ ok: true, snapshot: after }))
  t.equal(holder.current(), before)
  t.strictSame(await holder.reload(), { ok: true })
  t.equal(holder.current(), after)
})

t.test('a wrong configuration leaves the old one in force', async (t) => {
  const before = snapshotOf('')
  const holder = createConfigHolder(before, async () => ({ ok: false, problems: [problem] }))
  t.strictSame(await holder.reload(), { ok: false, problems: [problem] })
  t.equal(holder.current(), before)
})

t.test('a load that throws leaves the old one in force and does not block the next', async (t) => {
  const [before, after] = [snapshotOf(''), snapshotOf('unknown_hosts: refuse')]
  let calls = 0
  const holder = createConfigHolder(before, async () => {
    calls += 1
    if (calls === 1) throw new Error('broken')
    return { ok: true, snapshot: after }
  })
  await t.rejects(holder.reload())
  t.equal(holder.current(), before)
  await holder.reload()
  t.equal(holder.current(), after)
})

for (const [path, text] of Object.entries({
  state: 'state: /elsewhere',
  'listen.proxy': 'listen: { proxy: ":4000" }',
  'listen.owner': 'listen: { owner: ":4001" }',
  owner_key: 'owner_key: { env: K }',
  grant_label: 'grant_label: other',
  grants: 'grants: { driver: postgres, url: { env: K } }',
  ledger: 'ledger: { mode: batch }',
  store: 'store: { max_bytes: 2000000 }',
})) {
  t.test(`a change of ${path} needs a restart`, async (t) => {
    const before = snapshotOf('')
    const holder = createConfigHolder(before, async () => ({
      ok: true,
      snapshot: snapshotOf(text),
    }))
    const result = await holder.reload()
    t.match(result, { ok: false, problems: [{ path, repair: /restart/ }] })
    t.equal(holder.current(), before)
  })
}

t.test('reloads follow one another', async (t) => {
  const order: string[] = []
  const holder = createConfigHolder(snapshotOf(''), async () => {
    order.push('begin')
    await new Promise((resolve) => setTimeout(resolve, 5))
    order.push('end')
    return { ok: false, problems: [problem] }
  })
  await Promise.all([holder.reload(), holder.reload()])
  t.strictSame(order, ['begin', 'end', 'begin', 'end'])
})
