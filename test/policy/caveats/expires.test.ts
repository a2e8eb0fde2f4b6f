import { testAxis } from './table.ts'

const at = Date.UTC(2026, 9, 10)

testAxis({
  good: ['expires < 2026-10-10T00:00:00Z', 'expires < 2028-02-29T23:59:59Z'],
  bad: [
    ['expires < 2026-02-29T00:00:00Z', /no real time/],
    ['expires < 2026-13-01T00:00:00Z', /no real time/],
    ['expires < 2026-04-31T00:00:00Z', /no real time/],
    ['expires < 2026-10-10T24:00:00Z', /no real time/],
    ['expires < 2026-10-10T00:00:60Z', /no real time/],
    ['expires < 2026-10-10T00:00:00.000Z', /no real time/],
    ['expires < 2026-10-10T00:00:00+00:00', /no real time/],
    ['expires < 2026-10-10t00:00:00z', /no real time/],
    ['expires < 2026-10-10', /no real time/],
    ['expires < +002026-10-10T00:00:00Z', /no real time/],
    // Real times, and written as the clock would, but of another form.
    ['expires < +010000-01-01T00:00:00Z', /no real time/],
    ['expires < -000001-01-01T00:00:00Z', /no real time/],
    ['expires <= 2026-10-10T00:00:00Z', /the op/],
    ['expires = 2026-10-10T00:00:00Z', /the op/],
  ],
  judged: [
    {
      line: 'expires < 2026-10-10T00:00:00Z',
      holds: [{ now: at - 1 }, { now: at - 0.5 }, { now: 0 }, { now: -1 }],
      refuses: [{ now: at }, { now: at + 1 }, { now: NaN }, { now: Infinity }],
      code: 'expired',
    },
  ],
})
