import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { verifySegments } from '../../../adapters/ledger/verify.ts'
import { makeFolder, openLog, recordsOf, segmentFiles } from './rig.ts'

type Call = () => Promise<unknown>

/** Puts another durable write under every file; `real` is the one it stands for, which syncs what it writes. */
async function plantWrite(t: Test, make: (real: Call) => Promise<unknown>): Promise<void> {
  const handle = await open(join(makeFolder(t), 'probe'), 'w')
  const prototype = Object.getPrototypeOf(handle) as { write: (...args: unknown[]) => unknown }
  await handle.close()
  const real = prototype.write
  prototype.write = function (this: object, ...args) {
    return make(async () => real.apply(this, args))
  }
  t.teardown(() => void (prototype.write = real))
}

t.test(
  'a failed sync ends its segment and is not tried again; its records go to the next',
  async (t) => {
    const folder = makeFolder(t)
    const { log, alarms } = await openLog(folder)
    await log.refusal({ id: 'before' })
    let failures = 0
    await plantWrite(t, async (real) => {
      const written = await real()
      failures += 1
      if (failures > 1) return written
      throw Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' })
    })
    const [intent, other] = await Promise.all([log.intent({ id: 'a' }), log.intent({ id: 'b' })])
    t.same([intent.n, other.n], [2, 3])
    t.same(
      alarms.map(({ kind }) => kind),
      ['unavailable', 'available'],
    )
    t.equal(log.ready().ok, true)
    await log.outcome(intent, { outcome: 'allowed' })
    await log.outcome(other, { outcome: 'allowed' })
    const head = log.head()
    await log.close()
    t.equal(segmentFiles(folder).length, 2)
    t.match(await verifySegments(folder, { heads: [head] }), { verdict: 'ok', records: 7 })
  },
)

t.test(
  'a disk that hangs lets callers down at the deadline, and what it took later says so',
  async (t) => {
    const folder = makeFolder(t)
    const { log, alarms } = await openLog(folder, { deadlineMs: 200 })
    const kept = await log.intent({ id: 'kept' })
    let wake = () => {}
    const hang = new Promise<void>((resolve) => (wake = resolve))
    await plantWrite(t, async (real) => {
      await hang
      return real()
    })
    const began = performance.now()
    await t.rejects(log.intent({ id: 'hung' }), { code: 'ledger_unavailable' })
    t.ok(performance.now() - began < 1000)
    await t.rejects(log.outcome(kept, { outcome: 'allowed' }), { code: 'ledger_unavailable' })
    t.match(log.ready(), { ok: false, why: /did not answer within 200 ms/ })
    wake()
    await sleep(100)
    t.equal(log.ready().ok, true)
    t.same(
      alarms.map(({ kind }) => kind),
      ['unavailable', 'available'],
    )
    await log.close()
    const outcomes = recordsOf(folder).filter(({ kind }) => kind === 'outcome')
    t.has(
      outcomes.find(({ intent }) => intent === 2),
      { outcome: 'failed', ran: false, code: 'ledger_unavailable' },
    )
    t.has(
      outcomes.find(({ intent }) => intent === kept.n),
      { outcome: 'unknown', ran: 'unknown' },
    )
  },
)

/** What a caller is told of a record that was given up: the promise of its fate, where there is one. */
const fateOf = (rejected: Promise<unknown>): Promise<boolean | undefined> =>
  rejected.then(
    () => Promise.reject(new Error('it was kept in time')),
    ({ fate }: { readonly fate?: Promise<boolean> }) => fate,
  )

for (const [name, ends] of [
  ['kept after all', true],
  ['lost in the end', false],
] as const)
  t.test(
    `of what was being written when it was given up it is told that it was ${name}`,
    async (t) => {
      const folder = makeFolder(t)
      const { log } = await openLog(folder, { deadlineMs: 100 })
      const kept = await log.intent({ id: 'kept' })
      let wake = () => {}
      let hang: Promise<void> | undefined = new Promise((resolve) => (wake = resolve))
      await plantWrite(t, async (real) => {
        if (hang === undefined) return real()
        await hang
        hang = undefined
        if (ends) return real()
        throw Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' })
      })
      const written = fateOf(log.outcome(kept, { outcome: 'allowed' }))
      await sleep(20)
      t.equal(await fateOf(log.refusal({ id: 'behind it' })), undefined, 'that one was not begun')
      wake()
      t.equal(await written, ends)
      await log.close()
      const outcomes = recordsOf(folder).filter(({ kind }) => kind === 'outcome')
      t.same(
        outcomes.map(({ outcome }) => outcome),
        [ends ? 'allowed' : 'unknown'],
        'one end, and the one that was told',
      )
    },
  )

t.test('an outcome that finds no place in the queue leaves no intent open', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder, { deadlineMs: 5_000 })
  const kept = await log.intent({ id: 'kept' })
  let wake = () => {}
  const hang = new Promise<void>((resolve) => (wake = resolve))
  await plantWrite(t, async (real) => {
    await hang
    return real()
  })
  const first = log.refusal({ id: 'first' })
  await sleep(20)
  const waiting = Array.from({ length: 10_000 }, (_, at) => log.refusal({ id: `r${at}` }))
  const late = log.outcome(kept, { outcome: 'allowed' })
  await t.rejects(late, { code: 'ledger_unavailable', fate: undefined })
  wake()
  await Promise.all([first, ...waiting])
  await log.close()
  const outcomes = recordsOf(folder).filter(({ kind }) => kind === 'outcome')
  t.match(outcomes, [{ intent: kept.n, outcome: 'unknown' }])
})
