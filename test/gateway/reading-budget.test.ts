import fc from 'fast-check'
import t from 'tap'
import { createReadingBudget } from '../../gateway/reading-budget.ts'
import { Refusal } from '../../gateway/refusal.ts'
import { narrowToken } from '../../policy/index.ts'
import { liveKnock, openJudges } from './why/_judges.ts'

function budgetAt(start = 0) {
  const clock = { time: start, now: () => clock.time }
  const budget = createReadingBudget(clock)
  /** Undefined where it may be read, else the seconds to wait. */
  const spend = (length: number, grant = 'a'): number | undefined => {
    try {
      budget.spend(grant, length)
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'rate_limited') throw error
      return error.retryAfter
    }
  }
  return { clock, spend }
}

t.test('64 KiB at once, then 16 KiB a second, each grant for itself', async (t) => {
  const { clock, spend } = budgetAt(Date.UTC(2026, 0, 1))
  for (let at = 0; at < 64; at++) t.equal(spend(1024), undefined)
  t.equal(spend(1024), undefined, 'what is not overdrawn may be overdrawn once')
  t.equal(spend(1), 1)
  t.equal(spend(1, 'b'), undefined)
  clock.time += 62
  t.equal(spend(1), 1)
  clock.time += 1
  t.equal(spend(1024), undefined)
  t.equal(spend(1), 1)
  clock.time += 4_063
  t.equal(spend(200_000), undefined, 'no lines are too long to be read at all')
  t.equal(spend(1), 4, 'nobody waits longer than for an empty budget to fill')
  clock.time -= 86_400_000
  t.equal(spend(1), 4, 'nor where the clock was put back')
})

t.test('over any time no more is read than the budget and one overdraft', async (t) => {
  const length = fc.integer({ min: 1, max: 16_384 })
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 3000 }), length), { maxLength: 60 })
  const withinBudget = fc.property(steps, (taken) => {
    const { clock, spend } = budgetAt()
    let read = 0
    for (const [wait, each] of taken) {
      clock.time += wait
      const refused = spend(each)
      if (refused === undefined) read += each
      else {
        clock.time += refused * 1000
        if (spend(each) !== undefined) return false
        read += each
      }
      if (read > 65_536 + 16_384 + (clock.time * 16_384) / 1000 + 1) return false
    }
    return true
  })
  t.doesNotThrow(() => fc.assert(withinBudget, { numRuns: 500 }))
})

t.test('tokens narrowed anew for every call are let through within the budget', async (t) => {
  const { exchange, mint, time, takeRecords } = openJudges(t, {}, {})
  const get = { scheme: 'http', host: 'a.test', port: 80, method: 'GET', path: '/' } as const
  const call = (token: string) =>
    exchange(liveKnock(token, { ...get, headers: [], body: undefined }))
  const token = mint('tools = *')
  const narrowed = Array.from({ length: 30 }, (_, at) =>
    narrowToken(token, [`tools = HTTP_GET,${'X'.repeat(3000)}${at}*`]),
  )
  const statuses: number[] = []
  for (const each of narrowed) statuses.push((await call(each)).status)
  const allowed = statuses.indexOf(429)
  t.strictSame(statuses, [
    ...Array<number>(allowed).fill(204),
    ...Array<number>(30 - allowed).fill(429),
  ])
  t.equal(allowed, 22, '22 of them are more than 64 KiB')
  t.match(takeRecords().at(-1), { outcome: 'refused', code: 'rate_limited' })
  t.equal((await call(narrowed[0] ?? '')).status, 204, 'what was read stays free')
  t.equal((await call(mint('tools = HTTP_GET'))).status, 204, 'other grants are not concerned')
  time.now += 5_000
  t.equal((await call(narrowed[29] ?? '')).status, 204, 'and so is this one, later')
})
