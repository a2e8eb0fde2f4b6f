import fc from 'fast-check'
import t from 'tap'
import { createGrantLimits } from '../../gateway/grant-limits.ts'
import { Refusal } from '../../gateway/refusal.ts'

const NONE = { callsPerMinute: undefined, concurrent: undefined }
const rate = (callsPerMinute: number) => ({ ...NONE, callsPerMinute })

function limitsAt(start = 0) {
  const clock = { time: start, now: () => clock.time }
  return { clock, limits: createGrantLimits(clock) }
}

/** Undefined where the call is let in, else the seconds that it is told to wait. */
function refusedFor(enter: () => unknown): number | undefined {
  try {
    enter()
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'rate_limited') throw error
    return error.retryAfter
  }
}

t.test('so many at once as in a minute, then evenly; each grant for itself', async (t) => {
  const { clock, limits } = limitsAt()
  for (let call = 0; call < 3; call++) limits.enter('a', rate(3))
  t.equal(
    refusedFor(() => limits.enter('a', rate(3))),
    20,
  )
  t.equal(
    refusedFor(() => limits.enter('b', rate(3))),
    undefined,
  )
  clock.time = 19_998
  t.equal(
    refusedFor(() => limits.enter('a', rate(3))),
    1,
  )
  clock.time = 20_000
  t.equal(
    refusedFor(() => limits.enter('a', rate(3))),
    undefined,
  )
  t.equal(
    refusedFor(() => limits.enter('a', rate(3))),
    20,
  )
})

t.test('a refused call takes nothing, and waiting as told is enough', async () => {
  const call = fc.record({ after: fc.nat(30_000), tries: fc.integer({ min: 1, max: 4 }) })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.array(call, { maxLength: 60 }),
      (per, calls) => {
        const { clock, limits } = limitsAt()
        const let_in: number[] = []
        for (const { after, tries } of calls) {
          clock.time += after
          let wait: number | undefined
          for (let at = 0; at < tries; at++) {
            wait = refusedFor(() => limits.enter('a', rate(per)))
            if (wait === undefined) let_in.push(clock.time)
          }
          if (wait === undefined) continue
          clock.time += wait * 1000
          if (refusedFor(() => limits.enter('a', rate(per))) !== undefined) return false
          let_in.push(clock.time)
        }
        // What a bucket of that size that fills evenly can let through in any span, and no call more.
        return let_in.every((from, first) =>
          let_in
            .slice(first)
            .every((to, more) => more + 1 <= per + ((to - from) * per) / 60_000 + 0.1),
        )
      },
    ),
    { numRuns: 300 },
  )
})

t.test(
  'a clock that is set back, or a limit that is lowered, locks nobody out for long',
  async (t) => {
    const { clock, limits } = limitsAt(3_600_000)
    for (let call = 0; call < 600; call++) limits.enter('a', rate(600))
    clock.time = 0
    t.equal(
      refusedFor(() => limits.enter('a', rate(6))),
      10,
    )
  },
)

t.test('so many at one time; a place is given back once', async (t) => {
  const { limits } = limitsAt()
  const two = { ...NONE, concurrent: 2 }
  const leave = limits.enter('a', two)
  limits.enter('a', two)
  t.equal(
    refusedFor(() => limits.enter('a', two)),
    1,
  )
  limits.enter('b', two)
  leave()
  leave()
  t.equal(
    refusedFor(() => limits.enter('a', two)),
    undefined,
  )
  t.equal(
    refusedFor(() => limits.enter('a', two)),
    1,
  )
})

t.test('a limit that comes with a reload counts what runs already', async (t) => {
  const { limits } = limitsAt()
  const leave = limits.enter('a', NONE)
  t.equal(
    refusedFor(() => limits.enter('a', { ...NONE, concurrent: 1 })),
    1,
  )
  leave()
  t.equal(
    refusedFor(() => limits.enter('a', { ...NONE, concurrent: 1 })),
    undefined,
  )
})
