import t from 'tap'
import { parseJsonBody } from '../../../catalog/index.ts'

interface Written {
  [Symbol.toPrimitive](): string
}

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

t.test(
  'a number that a double would round stays as it is written, wherever it stands',
  async (t) => {
    const written = (text: string) => {
      const read = parse(text)
      return JSON.stringify(read.ok ? read.value : read.reason)
    }
    const long = '9007199254740993'
    const is = `{"number":"${long}"}`
    for (const [body, value] of [
      [long, is],
      [` ${long}\n`, is],
      [`[1,[${long},2],{"a":${long}}]`, `[1,[${is},2],{"a":${is}}]`],
      [`{"10":1,"9":${long},"b":[]}`, `{"9":${is},"10":1,"b":[]}`],
      [
        `{"__proto__":{"a":${long}},"c":{"__proto__":${long}}}`,
        `{"__proto__":{"a":${is}},"c":{"__proto__":${is}}}`,
      ],
      [`{"a":{"b":[]},"c":${long},"d":"${long}"}`, `{"a":{"b":[]},"c":${is},"d":"${long}"}`],
      [
        '[0.1,1.50,-0,1e2,100000000000000000000,1E-7]',
        '[0.1,1.5,0,100,100000000000000000000,1e-7]',
      ],
      ['[1e400]', '[{"number":"1e400"}]'],
      ['[-1e-400]', '[{"number":"-1e-400"}]'],
      ['[0e400,0.000000000000000000000]', '[0,0]'],
    ] as const)
      t.equal(written(body), value, body)
  },
)

t.test('it has no member, and no name of its own leads into it', async (t) => {
  const { value } = parse('{"n":1.00000000000000001}') as {
    readonly value: { readonly n: Written }
  }
  t.strictSame(Object.getOwnPropertyNames(value.n), [])
  t.equal(value.n[Symbol.toPrimitive](), '1.00000000000000001')
})
