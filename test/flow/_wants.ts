import fc from 'fast-check'

/** Wants over members that rows have, and some that they do not. */
const field = fc.constantFrom(
  'name',
  'path',
  'method',
  'scheme',
  'port',
  'keep',
  'args.properties.id.in',
  'none',
)
const scalar = fc.constantFrom('ITEM_B', 'GET', 'http', 81, 'hash', true, null)
const test = fc.oneof(
  scalar,
  fc.record({ gte: fc.constantFrom('ITEM_C', 80) }),
  fc.record({ prefix: fc.constantFrom('ITEM_', '/items/D', 'x') }),
  fc.record({ glob: fc.constantFrom('*_TLS', '*items*', 'GET') }),
  fc.record({ ne: scalar, exists: fc.boolean() }),
  fc.record({ in: fc.array(scalar, { maxLength: 3 }) }),
)
const simple = fc.dictionary(field, test, { maxKeys: 2 })
const where = fc.oneof(
  simple,
  fc.record({ or: fc.array(simple, { maxLength: 2 }) }),
  fc.record({ not: simple }),
)
const orderTerm = fc.tuple(fc.constantFrom('', '-'), field).map((parts) => parts.join(''))
export const paging = fc.record(
  {
    where,
    select: fc.uniqueArray(orderTerm, { minLength: 1, maxLength: 3 }),
    order: fc.uniqueArray(orderTerm, { maxLength: 2 }),
    page: fc.record({ limit: fc.integer({ min: 1, max: 12 }) }),
  },
  { requiredKeys: [] },
)
const aggregate = fc.record(
  {
    count: fc.constant(true),
    min: fc.uniqueArray(field, { minLength: 1, maxLength: 2 }),
    sum: fc.constant(['port']),
    p95: fc.constant(['port']),
    by: fc.uniqueArray(field, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['count'] },
)
export const figures = fc.record({ where, want: fc.record({ aggregate }) })
