import t from 'tap'
import { parseAnswerHead, parseFields, parseRequestHead } from '../../../catalog/index.ts'

t.test('a request’s head is read as it was written', async (t) => {
  const text =
    'GET /a?b=c HTTP/1.1\r\nHost: a.test\r\nX-Odd:\t two  words \t\r\nx-empty:\r\nX-\xe9: no'
  t.equal(parseRequestHead(text), undefined, 'a name is a token')
  t.same(parseRequestHead(text.replace('X-\xe9: no', 'Y: \xe9')), {
    method: 'GET',
    target: '/a?b=c',
    headers: ['Host', 'a.test', 'X-Odd', 'two  words', 'x-empty', '', 'Y', '\xe9'],
  })
  t.same(parseRequestHead('BREW * HTTP/1.1'), { method: 'BREW', target: '*', headers: [] })
})

const REQUESTS: Readonly<Record<string, string>> = {
  'a bare LF': 'GET / HTTP/1.1\nHost: a',
  'a bare CR': 'GET / HTTP/1.1\r\nHost: a\rb',
  'a CR before CRLF': 'GET / HTTP/1.1\r\nHost: a\r\r\nX: b',
  'an LF at the start': '\nGET / HTTP/1.1',
  'a CRLF at the start': '\r\nGET / HTTP/1.1',
  'two spaces': 'GET  / HTTP/1.1',
  'a space behind the version': 'GET / HTTP/1.1 ',
  'a tab for a space': 'GET\t/ HTTP/1.1',
  'no version': 'GET /',
  'HTTP/1.0': 'GET / HTTP/1.0',
  'HTTP/2.0': 'GET / HTTP/2.0',
  'http in lower case': 'GET / http/1.1',
  'a target with a space': 'GET /a b HTTP/1.1',
  'a target beyond ASCII': 'GET /\xe9 HTTP/1.1',
  'a folded line': 'GET / HTTP/1.1\r\nX: a\r\n b',
  'a line without colon': 'GET / HTTP/1.1\r\nnonsense',
  'a space before the colon': 'GET / HTTP/1.1\r\nHost : a',
  'no name': 'GET / HTTP/1.1\r\n: a',
  'an empty line': 'GET / HTTP/1.1\r\n\r\nX: a',
  'NUL in a value': 'GET / HTTP/1.1\r\nX: a\0b',
  'DEL in a value': 'GET / HTTP/1.1\r\nX: a\x7fb',
  'a method that is no token': 'G(T / HTTP/1.1',
}

for (const [name, text] of Object.entries(REQUESTS)) {
  t.test(`${name} is no plain head`, async (t) => {
    t.equal(parseRequestHead(text), undefined)
  })
}

t.test('an answer’s head is read as it was written', async (t) => {
  t.same(parseAnswerHead('HTTP/1.1 200 All right\r\nA: b'), {
    version: '1.1',
    status: 200,
    statusText: 'All right',
    headers: ['A', 'b'],
  })
  t.match(parseAnswerHead('HTTP/1.0 404 '), { version: '1.0', status: 404, statusText: '' })
  t.match(parseAnswerHead('HTTP/1.1 200 O\x01K'), { statusText: 'O\x01K' })
  t.match(parseAnswerHead('HTTP/1.1 204'), { status: 204, statusText: '', headers: [] })
  for (const text of [
    'HTTP/1.1 2000 x',
    'HTTP/1.1 20 x',
    'HTTP/1.1  200 x',
    'HTTP/2 200 x',
    'HTTP/1.1 200\tx',
    'HTTP/1.1 200 x\ry',
    'HTTP/1.1 200 x\ny: z',
    'HTTP/1.1 200 x\r\ny: z\0',
    'HTTP/1.1 200 x\r\n b: c',
    'SSH-2.0-x',
  ])
    t.equal(parseAnswerHead(text), undefined, JSON.stringify(text))
})

t.test('fields that stand alone', async (t) => {
  t.same(parseFields(''), [])
  t.same(parseFields('a: b\r\nc: d'), ['a', 'b', 'c', 'd'])
  t.equal(parseFields('a b: c'), undefined)
  t.equal(parseFields('a: b\nc: d'), undefined)
})
