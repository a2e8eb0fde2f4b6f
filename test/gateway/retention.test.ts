import t from 'tap'
import { eraseBodies, keepRetention } from '../../gateway/retention.ts'

const DAY = 86_400_000
const NOW = Date.parse('2027-06-01T00:00:00Z')

/** Bodies that are erased when they are asked for, and events that are noted. */
function rig(event: (record: object) => Promise<{ writer: string; n: number }>) {
  const asked: number[] = []
  const bodies = {
    async eraseOlder(
      before: number,
      record: (body: { sha256: string; bytes: number }) => Promise<unknown>,
    ) {
      asked.push(before)
      await record({ sha256: 'ab', bytes: 3 })
      return { bodies: 1, bytes: 3 }
    },
  }
  return { asked, ports: { bodies, ledger: { event } } }
}

t.test('each erasure is an event, with when and by whom', async (t) => {
  const events: object[] = []
  const { ports } = rig(async (record) => (events.push(record), { writer: 'w', n: 1 }))
  t.same(await eraseBodies(ports, NOW, 'owner'), { bodies: 1, bytes: 3 })
  t.same(events, [
    {
      event: 'body_erased',
      subject: 'ab',
      actor: 'owner',
      data: { bytes: 3, why: 'retention', before: '2027-06-01T00:00:00.000Z' },
    },
  ])
})

t.test('it runs at the start, and tells what hinders it', async (t) => {
  const { ports, asked } = rig(async () => {
    throw new Error('the disk is full')
  })
  const told: object[] = []
  const log = { error: (fields: object) => void told.push(fields) }
  const clock = { now: () => NOW }
  await keepRetention(30, { ...ports, clock, log })()
  t.same(asked, [NOW - 30 * DAY])
  t.match(told, [{ error: { message: 'the disk is full' } }])
  await keepRetention(undefined, { ...ports, clock, log })()
  t.equal(asked.length, 1, 'nothing is erased where nothing is said')
})
