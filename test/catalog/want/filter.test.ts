import t from 'tap'
import type { Where } from '../../../catalog/index.ts'
import { compiled, project } from '../project/project.ts'

const rows = [
  { id: 1, s: 'abc', l: [{ n: 'x' }, { n: 'y' }], z: null },
  { id: 2, s: 'Abd', l: [], o: { a: 1 } },
  { id: 3, s: 5, b: false },
]
const ids = (where: Where) =>
  (
    JSON.parse(project(JSON.stringify(rows), compiled({ where, select: ['id'] })).text) as {
      id: number
    }[]
  ).map(({ id }) => id)

t.test('tests', async (t) => {
  const cases: readonly (readonly [Where, readonly number[]])[] = [
    [{ s: 'abc' }, [1]],
    [{ s: { ne: 'abc' } }, [2, 3]],
    [{ b: false }, [3]],
    [{ z: null }, [1]],
    [{ id: { gt: 1, lt: 3 } }, [2]],
    [{ id: { gte: 2 } }, [2, 3]],
    [{ id: { lte: 1 } }, [1]],
    [{ s: { gt: 'a' } }, [1]],
    [{ s: { gt: 1 } }, [3]],
    [{ id: { in: [1, '2', 3] } }, [1, 3]],
    [{ s: { glob: 'a*c' } }, [1]],
    [{ s: { glob: '*' } }, [1, 2]],
    [{ s: { glob: 'ab' } }, []],
    [{ s: { glob: 'abc*c' } }, []],
    [{ s: { prefix: 'A' } }, [2]],
    [{ o: { exists: true } }, [2]],
    [{ z: { exists: false } }, [2, 3]],
    [{ o: { ne: 1 } }, [1, 2, 3]],
    [{ o: { eq: 1 } }, []],
    [{ 'l[].n': 'y' }, [1]],
    [{ 'l[].n': { ne: 'y' } }, [2, 3]],
    [{ 'l[].n': { exists: true } }, [1]],
    [{ l: { exists: true } }, [1, 2]],
    [{ missing: { ne: 1 } }, [1, 2, 3]],
    [{ missing: { lt: 1 } }, []],
    [{ id: 1, s: 'x' }, []],
    [{ or: [{ id: 1 }, { id: 3 }] }, [1, 3]],
    [{ not: { id: 1 } }, [2, 3]],
    [{ and: [{ id: 1 }, { not: { id: 1 } }] }, []],
    [{ or: [] }, []],
    [{ and: [] }, [1, 2, 3]],
    [{}, [1, 2, 3]],
  ]
  for (const [where, wanted] of cases) t.same(ids(where), wanted, JSON.stringify(where))
})

t.test('texts are ordered by code point, and kinds by a fixed order', async (t) => {
  const values = ['\u{1F600}', '\uffee', 'a', 10, 9, true, null, false]
  const ordered = (order: string[]) =>
    (
      JSON.parse(
        project(JSON.stringify([...values.map((v) => ({ v })), {}]), compiled({ order })).text,
      ) as { v?: unknown }[]
    ).map(({ v }) => v)
  t.same(ordered(['v']), [9, 10, 'a', '\uffee', '\u{1F600}', false, true, null, undefined])
  t.same(
    ordered(['-v']),
    [null, true, false, '\u{1F600}', '\uffee', 'a', 10, 9, undefined],
    'what is missing stays last',
  )
})
