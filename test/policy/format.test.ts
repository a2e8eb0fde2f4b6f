import { base64urlnopad, utf8 } from '@scure/base'
import t from 'tap'
import { mintToken, nobleDigests, TokenFault, verifyToken } from '../../policy/index.ts'
import { KEY } from './support.ts'

// Every spelling here is chained with the right key, so that only the form can refuse it. The
// digests count: before the form is right, none may be called.

const GOOD = mintToken(KEY, 'g_1', ['tools = A'])

function signed(payload: Uint8Array, id = 'g_1', lines: readonly string[] = ['tools = A']): string {
  const bytes = (text: string) => utf8.decode(text.replace(/\p{Surrogate}/gu, '\ufffd'))
  let signature = nobleDigests.hmac(KEY.root, bytes(id))
  for (const line of lines) signature = nobleDigests.hmac(signature, bytes(line))
  return `g1.${base64urlnopad.encode(payload)}.${base64urlnopad.encode(signature)}`
}

function json(text: string, id?: string, lines?: readonly string[]): string {
  return signed(utf8.decode(text), id, lines)
}

function spelled(id: string, lines: readonly string[] = ['tools = A']): string {
  return json(JSON.stringify({ i: id, c: lines }), id, lines)
}

const [, payload = '', signature = ''] = GOOD.split('.')

const BAD: readonly (readonly [string, string])[] = [
  ['', 'nothing'],
  ['g1', 'one segment'],
  ['g1..', 'empty segments'],
  [`G1.${payload}.${signature}`, 'another version'],
  [`g1.${payload}`, 'two segments'],
  [`${GOOD}.`, 'a fourth segment'],
  [` ${GOOD}`, 'a space before'],
  [`${GOOD}\n`, 'a line feed after'],
  [`\ufeff${GOOD}`, 'a byte order mark before'],
  [`g1.${payload}.${signature}=`, 'padding'],
  [`g1.${payload}%.${signature}`, 'another alphabet'],
  [`g1.${payload}.${signature}A`, 'a longer signature'],
  [json('{"i":"g_1","c":["tools = A"]} '), 'white space at the end'],
  [json('{"i":"g_1", "c":["tools = A"]}'), 'white space inside'],
  [json('{"c":["tools = A"],"i":"g_1"}'), 'another order'],
  [json('{"i":"g_1","c":["tools = A"],"x":1}'), 'another key'],
  [json('{"i":"g_1","i":"g_1","c":["tools = A"]}'), 'the id twice'],
  [json('{"i":"g_1","c":["tools = A"],"__proto__":{}}'), 'a prototype'],
  [json('{"i":"g_1","c":["tools \\u003d A"]}'), 'an escape that is not needed'],
  [json('{"i":"g\\/1","c":[]}', 'g/1', []), 'an escaped slash'],
  [json('\ufeff{"i":"g_1","c":["tools = A"]}'), 'a byte order mark inside'],
  [json('{"i":"g_1","c":"tools = A"}'), 'lines that are no list'],
  [json('{"i":"g_1","c":{"0":"tools = A","length":1}}'), 'lines that look like a list'],
  [json('{"i":1,"c":["tools = A"]}', '1'), 'a number for an id'],
  [json('{"i":"g_1"}', 'g_1', []), 'no lines'],
  [json('{"c":[]}', '', []), 'no id'],
  [json('null', '', []), 'null'],
  [json('"g_1"', 'g_1', []), 'a text'],
  [json('{"i":"g_1","c":[', 'g_1', []), 'half a payload'],
  [json(`${'['.repeat(3000)}`, 'g_1', []), 'a deep payload'],
  [signed(Uint8Array.of(0xff, 0xfe)), 'no UTF-8'],
  [spelled(''), 'an empty id'],
  [spelled('a'.repeat(129)), 'a long id'],
  [spelled('a\u0000b'), 'a control character in the id'],
  [spelled('a\u0085b'), 'a C1 control character in the id'],
  [spelled('a\u2028b'), 'a line separator in the id'],
  [spelled('a\ud800b'), 'half a surrogate pair in the id'],
  [spelled('g_1', ['task = \udfff']), 'half a surrogate pair in a line'],
  [
    spelled(
      'g_1',
      Array.from({ length: 65 }, () => 'uses <= 1'),
    ),
    '65 lines',
  ],
  [
    spelled(
      'g_1',
      Array.from({ length: 3 }, () => `area = /${'a'.repeat(2500)}`),
    ),
    'over 8 KiB',
  ],
]

let calls = 0
const counting = {
  hmac: (key: Uint8Array, message: Uint8Array) => {
    calls++
    return nobleDigests.hmac(key, message)
  },
  sha256Text: (message: Uint8Array) => nobleDigests.sha256Text(message),
}

for (const [token, name] of BAD) {
  calls = 0
  t.throws(
    () => verifyToken(token, [KEY], { digests: counting }),
    { name: 'TokenFault', stage: 'format', code: 'token_malformed' },
    name,
  )
  t.equal(calls, 0, `${name}: refused before any HMAC`)
}

for (const id of ['a', 'a'.repeat(128), '😀'.repeat(128), 'a b', '"\\/']) {
  t.equal(verifyToken(spelled(id), [KEY]).id, id, `a good id: ${id.slice(0, 8)}`)
}

t.equal(verifyToken(GOOD, [KEY], { maxBytes: GOOD.length }).id, 'g_1', 'as long as is allowed')
t.throws(() => verifyToken(GOOD, [KEY], { maxBytes: GOOD.length - 1 }), {
  name: 'TokenFault',
  stage: 'format',
})

void t.test('no text of a fault holds the token or its signature', async (t) => {
  for (const [token] of BAD) {
    try {
      verifyToken(token, [KEY])
    } catch (error) {
      t.ok(error instanceof TokenFault)
      t.notMatch(String(error), signature)
    }
  }
})
