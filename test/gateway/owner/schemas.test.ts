import { readFileSync } from 'node:fs'
import t from 'tap'
import { faultsOf } from '../../helpers/schemas.ts'
import { createRig, get, WITH_KEY } from './_owner.ts'

for (const name of ['receipt', 'event']) {
  t.test(`the door gives the published schema of a ${name}`, async (t) => {
    const { status, type, body } = await get(
      createRig(),
      `/api/ledger/schema/${name}.json`,
      WITH_KEY,
    )
    const file = `../../../gateway/owner/schemas/${name}.schema.json`
    t.equal(status, 200)
    t.equal(type, 'application/schema+json')
    t.strictSame(body, JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')))
  })
}

t.test('a record that is none is found', async (t) => {
  const receipt = { id: 'r', seq: 1, outcome: 'allowed', opened: '2026-11-29T12:00:00.000Z' }
  const event = { seq: 1, at: receipt.opened, event: 'a_b', subject: 's', actor: 'o', data: {} }
  t.same(faultsOf({ kind: 'receipt', record: receipt }), [])
  t.same(faultsOf({ kind: 'event', record: event }), [])
  const wrong = [
    { ...receipt, outcome: 'lost' },
    { ...receipt, other: 1 },
    { ...receipt, opened: '2026-11-29' },
    { ...receipt, projected: [1] },
    { ...receipt, request: { bytes: 1, sha256: 'AB', truncated: false } },
    { ...receipt, envelope: { target: 'HTTP_GET', op: 'sing' } },
    { id: 'r', seq: 1 },
  ]
  for (const record of wrong)
    t.ok(faultsOf({ kind: 'receipt', record }).length > 0, JSON.stringify(record))
  for (const name of Object.keys(event)) {
    const { [name]: _, ...record } = event as Record<string, unknown>
    t.equal(faultsOf({ kind: 'event', record }).length, 1, name)
  }
})
