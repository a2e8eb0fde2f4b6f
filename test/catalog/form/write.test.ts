import t from 'tap'
import { bodyTypeOf, requestOfCall, type ArgSchema } from '../../../catalog/index.ts'
import { rowWith } from '../request/rig.ts'

const properties: Readonly<Record<string, ArgSchema>> = {
  amount: { in: 'body', type: 'integer', required: true },
  ids: { in: 'body', type: 'array' },
  tags: { in: 'body', type: 'array', style: 'pipe' },
  meta: { in: 'body', type: 'object', style: 'deep' },
  extra: { in: 'body', style: 'json' },
}
const tool = rowWith({ method: 'POST', body: 'form', args: { properties } })

t.test('arguments are written as a form, each in its style', async (t) => {
  const args = {
    amount: 5,
    ids: [1, 'a b'],
    tags: ['x', 'y'],
    meta: { a: { b: ['1', true] }, 'ü=': '&' },
    extra: [{ n: null }],
  }
  t.match(requestOfCall(tool, args), {
    ok: true,
    request: {
      body:
        'amount=5&ids=1&ids=a%20b&tags=x%7Cy&meta%5Ba%5D%5Bb%5D%5B0%5D=1&meta%5Ba%5D%5Bb%5D%5B1%5D=true' +
        '&meta%5B%C3%BC%3D%5D=%26&extra=%5B%7B%22n%22%3Anull%7D%5D',
    },
  })
  t.equal(bodyTypeOf(tool), 'application/x-www-form-urlencoded')
  t.equal(bodyTypeOf(rowWith({})), 'application/json')
})

t.test('what a form has no way of saying is refused', async (t) => {
  const cases: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
    [{ stray: 1 }, /use amount/],
    [{ ids: [] }, /leave it out/],
    [{ ids: [{}] }, /write a text/],
    [{ ids: { a: 1 } }, /write a text/],
    [{ ids: null }, /write a text/],
    [{ tags: ['a|b'] }, /write elements without "\|"/],
    [{ meta: {} }, /leave it out/],
    [{ meta: [1] }, /write one object/],
    [{ meta: 'x' }, /write one object/],
    [{ meta: { a: [] } }, /leave it out/],
    [{ meta: { a: null } }, /write a text/],
    [{ meta: { a: { 0: 'x', 1: 'y' } } }, /write a list/],
    [{ meta: { 'a[b': 'x' } }, /without brackets/],
    [{ meta: { '': 'x' } }, /not empty/],
    [{ meta: nested(40) }, /less than 32 levels/],
    [{ meta: { a: '\ud800' } }, /whole characters/],
  ]
  for (const [args, repair] of cases) {
    const made = requestOfCall(tool, { amount: 1, ...args })
    t.match(made, { ok: false, problems: [{ repair }] }, JSON.stringify(args))
  }
  t.match(requestOfCall(tool, {}), { ok: false, problems: [{ path: 'args.amount' }] })
})

function nested(depth: number): object {
  return depth === 0 ? { a: 1 } : { a: nested(depth - 1) }
}
