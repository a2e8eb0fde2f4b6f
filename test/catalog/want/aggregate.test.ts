import t from 'tap'
import { compiled, project } from '../project/project.ts'

const figures = (rows: unknown[], aggregate: object) =>
  JSON.parse(project(JSON.stringify(rows), compiled({ want: { aggregate } })).text) as unknown

t.test('percentiles are the nearest rank, ceil(p·n)', async (t) => {
  const rows = Array.from({ length: 20 }, (_, at) => ({ n: 20 - at }))
  t.same(figures(rows, { p50: ['n'], p95: ['n'], p99: ['n'] }), {
    p50: { n: 10 },
    p95: { n: 19 },
    p99: { n: 20 },
  })
  t.same(figures([{ n: 7 }], { p50: ['n'], p99: ['n'] }), { p50: { n: 7 }, p99: { n: 7 } })
  t.same(figures([], { p50: ['n'] }), { p50: { n: null } })
})

t.test('figures count numbers alone, and min and max texts too', async (t) => {
  const rows = [{ n: 1, s: 'b' }, { n: 2.5, s: 'a' }, { n: '9' }, {}, { n: null }]
  t.same(figures(rows, { count: true, sum: ['n'], avg: ['n'], min: ['s'], max: ['n', 's'] }), {
    count: 5,
    sum: { n: 3.5 },
    avg: { n: 1.75 },
    min: { s: 'a' },
    max: { n: '9', s: 'b' },
  })
  t.same(figures([], { count: true, sum: ['n'], avg: ['n'], max: ['n'] }), {
    count: 0,
    sum: { n: 0 },
    avg: { n: null },
    max: { n: null },
  })
})

t.test('by makes one result for each group', async (t) => {
  const rows = [{ k: 'x', n: 1 }, { k: 'y', n: 2 }, { k: 'x', n: 3 }, { n: 4 }]
  t.same(figures(rows, { by: ['k'], count: true, sum: ['n'] }), [
    { by: { k: 'x' }, count: 2, sum: { n: 4 } },
    { by: { k: 'y' }, count: 1, sum: { n: 2 } },
    { by: { k: null }, count: 1, sum: { n: 4 } },
  ])
  t.same(figures([], { by: ['k'], count: true }), [])
})
