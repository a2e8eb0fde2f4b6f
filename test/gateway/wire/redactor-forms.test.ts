import t from 'tap'
import { createRedactor } from '../../../gateway/wire/redactor.ts'
import { ENCODINGS, readings } from './secret-spelling.ts'

const KEYS = [
  'sk-proj-aB3dE5fG7hI9jK1lM3nO5pQ7',
  'a/b+c?d&e=f%41"g\\h~i<j>k{l}',
  'xxxxxxxxxxxxxxxxxxxxxxxxx',
  'deadbeefdeadbeef',
]

for (const key of KEYS) {
  const redactor = createRedactor([{ name: 'k', value: key, user: 'user' }])
  let turn = 0
  for (const [name, encode] of Object.entries(ENCODINGS)) {
    t.test(`${key}: ${name}`, async (t) => {
      const spelled = encode(key, () => turn++)
      const text = `{"echo":"${spelled}","rest":"kept"}`
      const masked = redactor.redactText(text)
      t.equal(masked.length, text.length)
      t.ok(masked.startsWith('{"echo":"') && masked.endsWith('","rest":"kept"}'), masked)
      t.notOk(
        readings(masked).some((reading) => reading.includes(key)),
        masked,
      )
      t.ok((masked.match(/\*/g) ?? []).length >= spelled.length - 15, masked)
    })
  }
}

t.test('Basic credentials are masked as a whole', async (t) => {
  const redactor = createRedactor([{ name: 'k', value: 'sk-0123456789abcdef', user: 'someone' }])
  const basic = Buffer.from('someone:sk-0123456789abcdef').toString('base64')
  t.match(redactor.redactText(`Basic ${basic}`), /^Basic \*{35,}.?$/)
})

t.test('header names and values are masked, latin1 kept', async (t) => {
  const redactor = createRedactor([{ name: 'k', value: 'sk-0123456789abcdef' }])
  t.same(
    redactor.redactHeaders([
      'X-sk-0123456789abcdef',
      'caf\xe9',
      'Location',
      '/?k=sk-0123456789abcdef&x',
    ]),
    ['X-*******************', 'caf\xe9', 'Location', '/?k=*******************&x'],
  )
})

t.test('secrets that overlap are both masked', async (t) => {
  const [a, b] = ['0123456789abcdefXYZXYZ', 'XYZXYZ0123456789abcdef']
  const redactor = createRedactor([
    { name: 'a', value: a },
    { name: 'b', value: b },
  ])
  t.equal(redactor.redactText(`<${a}0123456789abcdef>`), `<${'*'.repeat(38)}>`)
  t.equal(redactor.redactText(`<XYZ${a}0123456789abcdef>`), `<XYZ${'*'.repeat(38)}>`)
})

t.test('a short secret is refused by name, not by value', async (t) => {
  t.throws(() => createRedactor([{ name: 'tiny', value: 'fifteen-bytes-x' }]), {
    name: 'RangeError',
    message: /^key tiny has `15` bytes/,
  })
})

t.test('without secrets, and without a find, the very same comes out', async (t) => {
  const chunk = Buffer.from('anything')
  t.equal(createRedactor([]).stream().push(chunk), chunk)
  const text = 'ünïcode %41 \\u0041 text'
  t.equal(createRedactor([{ name: 'k', value: 'sk-0123456789abcdef' }]).redactText(text), text)
})
