import t from 'tap'
import { parseJsonBody } from '../../../catalog/index.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))

t.test('a body reads as JSON.parse reads it', async (t) => {
  t.strictSame(parse(' {"a":[1,{"a":2}],"b":{"a":"é"}} '), {
    ok: true,
    value: { a: [1, { a: 2 }], b: { a: 'é' } },
  })
})

t.test('a member that occurs twice is refused, however it is spelled', async (t) => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '[{"b":{"a":1,"c":1,"a":2}}]',
    '{"__proto__":1,"__proto__":2}',
  ]) {
    t.match(parse(text), { ok: false, reason: /twice/ }, text)
  }
})

t.test('so is what is no JSON', async (t) => {
  for (const text of ['', '{', '{"a":1,}', '\ufeff{}', 'a=1', '['.repeat(600)])
    t.equal(parse(text).ok, false, text.slice(0, 9))
  t.equal(parseJsonBody(Buffer.from([0x22, 0xff, 0x22])).ok, false)
})
