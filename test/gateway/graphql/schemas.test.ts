import { printSchema, validateSchema } from 'graphql'
import t from 'tap'
import type { Tool } from '../../../catalog/index.ts'
import { createSchemas } from '../../../gateway/graphql/schemas.ts'

const row = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  summary: 'a row',
  scheme: 'https',
  host: 'api.test',
  method: 'GET',
  path: '/',
  args: { properties: {} },
  ...more,
})

t.test('a schema is kept for its rows, until the catalog changes', async (t) => {
  const schemas = createSchemas()
  const all = [row('A'), row('B', { method: 'DELETE' })]
  const both = schemas.of(all, all)
  const one = schemas.of([all[0]!], all)
  t.equal(schemas.of([...all], all), both)
  t.equal(schemas.of([all[0]!], all), one)
  t.not(one, both)
  t.match(printSchema(both), /type Mutation/)
  t.notMatch(printSchema(one), /Mutation|\bB\b/)
  const changed = [row('A', { summary: 'another' }), all[1]!]
  t.match(printSchema(schemas.of([changed[0]!], changed)), 'another', 'names alone are not enough')
})

t.test('what was not asked for goes first where there is too much', async (t) => {
  const schemas = createSchemas()
  const all = Array.from({ length: 30_000 }, (_, at) => row(`R${at}`))
  const [first, second] = [all.slice(1), all.slice(2)]
  const small = [all[0]!]
  const ofFirst = schemas.of(first, all)
  const ofSmall = schemas.of(small, all)
  t.equal(schemas.of(first, all), ofFirst)
  schemas.of(second, all)
  t.equal(schemas.of(small, all) === ofSmall, false, 'the small one was the oldest')
  t.not(schemas.of(first, all), ofFirst)
})

t.test('any row makes a field that GraphQL takes', async (t) => {
  const types = ['string', 'integer', 'number', 'boolean', 'array', 'object', undefined] as const
  const properties = Object.fromEntries(
    types.map((type, at) => [
      `arg-${at}`,
      { in: 'body', required: at % 2 === 0, enum: ['a', 1], ...(type !== undefined && { type }) },
    ]),
  ) as Tool['args']['properties']
  const rows = [
    row('GET_IT', { args: { properties } }),
    row('POST_IT', { method: 'POST', body: 'open' }),
  ]
  const schema = createSchemas().of(rows, rows)
  t.strictSame(validateSchema(schema), [])
  t.match(printSchema(schema), 'One of a, 1. Stands for `arg-0`.')
  t.match(printSchema(schema), '_more: JSON')
})
