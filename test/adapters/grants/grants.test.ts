import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openEmbeddedGrants } from '../../../adapters/grants/embedded.ts'
import { makeFolder } from '../ledger/rig.ts'

const NOW = Date.parse('2026-11-29T12:00:00Z')
const grant = {
  id: 'g1',
  lines: ['tools = HTTP_GET'],
  minted: '2026-11-29T11:00:00.000Z',
  by: 'owner',
  task: 'T-1',
}

function open(t: Test, file = join(makeFolder(t), 'grants.sqlite')) {
  const grants = openEmbeddedGrants({ file })
  t.teardown(() => grants.close())
  return grants
}

t.test('a revoked grant or link is named, and nothing else', async (t) => {
  const grants = open(t)
  t.equal(grants.revoked('g1', ['l0', 'l1']), undefined)
  t.equal(grants.revoke('l1', 'owner', NOW), true)
  t.equal(grants.revoke('l1', 'owner', NOW), false)
  t.equal(grants.revoked('g1', ['l0', 'l1']), 'l1')
  t.equal(grants.revoked('g1', ['l0']), undefined)
  grants.revoke('g1', 'owner', NOW)
  t.equal(grants.revoked('g1', ['l0', 'l1']), 'g1')
})

t.test('minted grants are listed, with their revocation', async (t) => {
  const grants = open(t)
  const { task: _, ...plain } = grant
  grants.recordMinted(grant)
  grants.recordMinted({ ...plain, id: 'g2', minted: '2026-11-29T11:30:00.000Z' })
  grants.revoke('g1', 'owner', NOW)
  const revoked = { ...grant, revoked: '2026-11-29T12:00:00.000Z' }
  t.strictSame(grants.list(), [{ ...plain, id: 'g2', minted: '2026-11-29T11:30:00.000Z' }, revoked])
  t.strictSame(grants.get('g1'), revoked)
  t.equal(grants.get('g3'), undefined)
  t.throws(() => grants.recordMinted(grant), /UNIQUE/)
})

t.test('the outbox keeps its events until they are settled', async (t) => {
  const file = join(makeFolder(t), 'grants.sqlite')
  const command = open(t, file)
  command.recordMinted(grant)
  command.revoke('g1', 'owner', NOW)
  const gateway = open(t, file)
  const events = [
    {
      event: 'grant_minted',
      subject: 'g1',
      actor: 'owner',
      task: 'T-1',
      data: { at: grant.minted, lines: grant.lines },
    },
    {
      event: 'grant_revoked',
      subject: 'g1',
      actor: 'owner',
      data: { at: '2026-11-29T12:00:00.000Z' },
    },
  ]
  t.strictSame(gateway.takeOutbox().events, events)
  const taken = gateway.takeOutbox()
  t.strictSame(taken.events, events)
  command.revoke('l9', 'owner', NOW)
  taken.settle()
  t.strictSame(
    gateway.takeOutbox().events.map(({ subject }) => subject),
    ['l9'],
  )
})

t.test('a revocation by another process is seen within a second, and told', async (t) => {
  const file = join(makeFolder(t), 'grants.sqlite')
  const gateway = open(t, file)
  const told = new Promise<number>((resolve) => gateway.onChange(() => resolve(performance.now())))
  const command = open(t, file)
  const began = performance.now()
  command.revoke('g1', 'owner', NOW)
  // The gateway's timer must not keep a process alive, so the test does.
  const alive = setInterval(() => undefined, 1000)
  const took = (await told) - began
  clearInterval(alive)
  t.ok(took < 1000, `${took} ms`)
  t.equal(gateway.revoked('g1', []), 'g1')
})

t.test('who stopped listening hears nothing', async (t) => {
  const grants = open(t)
  let heard = 0
  const stop = grants.onChange(() => (heard += 1))
  grants.revoke('a', 'owner', NOW)
  stop()
  grants.revoke('b', 'owner', NOW)
  t.equal(heard, 1)
})
