import t from 'tap'
import { canonicalJson, hashedText, mergePatch } from '../../../catalog/index.ts'
import { EMPTY } from './_article.ts'

t.test('one spelling, whatever the order of members', async (t) => {
  t.equal(
    canonicalJson({ b: [1, { d: null, c: 'é' }], a: 1e21 }),
    '{"a":1e+21,"b":[1,{"c":"é","d":null}]}',
  )
  // By UTF-16 units, as RFC 8785 has it: a surrogate comes before U+FB33.
  t.equal(
    canonicalJson({ '\ufb33': 1, '\u{1f600}': 2, '1': 3 }),
    '{"1":3,"\u{1f600}":2,"\ufb33":1}',
  )
})

t.test('the hash is of all but itself and the time of the change', async (t) => {
  const text = hashedText(EMPTY)
  t.equal(hashedText({ ...EMPTY, hash: 'x', updated: 'y' }), text)
  const names = Object.keys(EMPTY).filter((name) => name !== 'hash' && name !== 'updated')
  t.strictSame(Object.keys(JSON.parse(text) as object), names.toSorted())
  for (const name of names) t.not(hashedText({ ...EMPTY, [name]: 'other' }), text, name)
})

t.test('merge patches as RFC 7396 has them', async (t) => {
  // Its appendix A.
  const cases: readonly (readonly [unknown, unknown, unknown])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ]
  for (const [target, patch, merged] of cases)
    t.strictSame(mergePatch(target, patch), merged, JSON.stringify(patch))
  const odd = mergePatch({}, JSON.parse('{"__proto__": {"a": 1}}'))
  t.ok(Object.hasOwn(odd as object, '__proto__'), 'a name like any other')
})
