import fc from 'fast-check'
import t from 'tap'
import { canonicalPath } from '../../../catalog/index.ts'
import { runs } from '../project/documents.ts'

t.test('legitimate paths stay as they are', async (t) => {
  for (const path of [
    '/',
    '/a/b?x=/../',
    '/a%2Fb%3A+;v=1',
    '/a//b',
    '/...',
    '/.well-known/x',
    '/a%25',
    '/%E2%82%AC',
    '/?q=100%',
    '/a.%2e',
  ]) {
    t.match(canonicalPath(path), { ok: true, path }, path)
  }
  t.strictSame(canonicalPath('/a%2Fb/c?x#'.slice(0, -1)), {
    ok: true,
    path: '/a%2Fb/c?x',
    pathname: '/a%2Fb/c',
    query: 'x',
    segments: ['a/b', 'c'],
  })
})

t.test('dot segments are refused in every spelling', async (t) => {
  const dots = [
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '.%2e',
    '%252e',
    '%25%32%65.',
    '%25252e%2e',
    '..;x',
    '%2e%2e;x=y',
    '..%2f',
    'a%2f..%2fb',
    'a%252f%252e%252e',
  ]
  for (const dot of dots) {
    for (const path of [`/${dot}`, `/a/${dot}/b`, `/${dot}?x`])
      t.equal(canonicalPath(path).ok, false, path)
  }
})

t.test('so is what programs read differently', async (t) => {
  const refused = [
    '',
    'a',
    '*',
    'http://h/',
    '//h/a',
    '/a#b',
    '/a b',
    '/a\\b',
    '/a%5cb',
    '/a%255Cb',
    '/a%00',
    '/a%2500',
    '/a%0ab',
    '/a%7f',
    '/a\u0000',
    '/a\r\nb',
    '/é',
    '/%zz',
    '/%2',
    '/%',
    '/%c0%ae',
    '/%ff',
    '/%ed%a0%80',
    `/${'%25'.repeat(1)}${'25'.repeat(6)}2e`,
  ]
  for (const path of refused) t.equal(canonicalPath(path).ok, false, JSON.stringify(path))
})

t.test('no accepted path holds a dot segment, however often it is decoded', async () => {
  const part = fc.constantFrom(
    '.',
    '/',
    '%2e',
    '%2F',
    '%',
    '25',
    '2e',
    'a',
    ';',
    '%5c',
    '\\',
    '%252e',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const path = `/${parts.join('')}`
      if (!canonicalPath(path).ok) return
      for (let text = path; ;) {
        const bad =
          text.includes('\\') ||
          text.split('/').some((segment) => /^\.{1,2}(?:;.*)?$/.test(segment))
        if (bad) throw new Error(`${path} became ${text}`)
        const next = text.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        )
        if (next === text) return
        text = next
      }
    }),
    { numRuns: runs(8000) },
  )
})
