import fc from 'fast-check'
import type { ProjectionOptions, Want } from '../../../catalog/index.ts'

const PATHS = [
  'id',
  'a',
  'user.login',
  'user.id',
  'a.b',
  'tags[]',
  'tags[].id',
  'a[].id',
  'é',
  'user',
]
const SELECTORS = [
  ...PATHS,
  '*',
  'user.*',
  '*.id',
  '-a',
  '-user.login',
  '-tags',
  '-*.id',
  'items[].id',
  'items[].user.login',
  'items[].*',
  'data.items[].id',
  '-items',
  'a[].b[]',
  '__proto__',
]
const SCALARS = [1, 2, 'x', 'y', null, true, 'é']

const path = fc.constantFrom(...PATHS)
const comparable = fc.constantFrom(...SCALARS)
const tests = fc.oneof(
  comparable,
  fc.record({ eq: comparable }),
  fc.record({ ne: comparable }),
  fc.record({ gt: fc.constantFrom<string | number>(0, 1, 'a') }),
  fc.record({ lte: fc.constantFrom<string | number>(2, 'x'), gte: fc.constantFrom(1) }),
  fc.record({ in: fc.array(comparable, { maxLength: 3 }) }),
  fc.record({ exists: fc.boolean() }),
  fc.record({ glob: fc.constantFrom('*', 'z*z', '*o') }),
  fc.record({ prefix: fc.constantFrom('', '€') }),
)
const field = fc.tuple(path, tests).map(([name, test]) => ({ [name]: test }))
const where = fc.oneof(
  { weight: 3, arbitrary: field },
  { weight: 1, arbitrary: fc.record({ not: field }) },
  { weight: 1, arbitrary: fc.record({ or: fc.array(field, { maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ and: fc.array(field, { maxLength: 2 }) }) },
)
const list = fc.array(fc.constantFrom(...SELECTORS), { minLength: 1, maxLength: 3 })
const aggregate = fc.record(
  {
    count: fc.constant(true),
    sum: fc.constant(['id']),
    min: fc.constant(['a']),
    p95: fc.constant(['id', 'tags[]']),
    by: fc.constant(['user.login']),
  },
  { requiredKeys: [] },
)

/** Wants over the names that documents use. */
export const wants: fc.Arbitrary<Want> = fc.record(
  {
    select: list,
    where,
    order: fc.array(
      fc.tuple(fc.constantFrom('', '-'), path).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 2 },
    ),
    page: fc.record({ limit: fc.integer({ min: 1, max: 3 }) }),
    want: fc.oneof(
      fc.record({ shape: fc.constantFrom('rows' as const, 'first' as const, 'count' as const) }),
      fc.record({ aggregate }),
      fc.record({ format: fc.constant('ndjson' as const) }),
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Want>

/** What a catalog row may say of its answers. */
export const rowOptions: fc.Arbitrary<Partial<ProjectionOptions>> = fc.record(
  { rows: fc.constantFrom('items', 'data', 'data.items'), only: list },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<ProjectionOptions>>

/** Cursors that anybody could make. */
export const openCursors = {
  sign: (text: string) => `c:${text}`,
  check: (cursor: string) => (cursor.startsWith('c:') ? cursor.slice(2) : undefined),
}
