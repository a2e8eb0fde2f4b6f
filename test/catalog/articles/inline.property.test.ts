import fc from 'fast-check'
import t from 'tap'
import { inlineSpans, plainInline } from '../../../catalog/index.ts'

t.test('markup is bold, code and links; what is none of them is text', async (t) => {
  t.strictSame(inlineSpans('a **b** `c*` [d](https://x.test/) \\*e'), [
    { kind: 'text', text: 'a ' },
    { kind: 'bold', text: 'b' },
    { kind: 'text', text: ' ' },
    { kind: 'code', text: 'c*' },
    { kind: 'text', text: ' ' },
    { kind: 'link', text: 'd', href: 'https://x.test/' },
    { kind: 'text', text: ' *e' },
  ])
  for (const odd of ['**', '`', '[a]', '[a](b c)', '[](/x)', '[x](ftp://a)', '****'])
    t.strictSame(inlineSpans(odd), [{ kind: 'text', text: odd }])
})

t.test('a link leads to http, https, or this very place', async (t) => {
  const start = fc.constantFrom(
    '/',
    '//',
    '\\',
    '/\\',
    './',
    '../',
    '#',
    'http://',
    'HTTPS://',
    'https:',
    'javascript:',
    'java\tscript:',
    ' javascript:',
    'data:',
    '/\t/',
    '',
    'x:',
    '&#106;',
    'file:///',
  )
  const rest = fc.string({
    unit: fc.constantFrom(...Array.from('a/\\:.@#?\t\u0000%"<')),
    maxLength: 6,
  })
  let followed = 0
  fc.assert(
    fc.property(start, start, rest, (first, second, last) => {
      const [span] = inlineSpans(`[x](${first}${second}${last})`)
      if (span?.kind !== 'link') return true
      followed += 1
      const base = 'http://here.test'
      // Such a link leads nowhere.
      if (!URL.canParse(span.href, `${base}/a/b`)) return true
      const { protocol, origin } = new URL(span.href, `${base}/a/b`)
      const absolute = /^https?:\/\//i.test(span.href)
      return absolute ? /^https?:$/.test(protocol) : origin === base
    }),
    { numRuns: 5000 },
  )
  t.ok(followed > 300, `${followed} links`)
})

t.test('any text can be written so that it means itself', async () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from('a`*[]()\\/ ')), maxLength: 20 })
  fc.assert(
    fc.property(text, (text) => {
      const spans = inlineSpans(plainInline(text))
      return (
        spans.every(({ kind }) => kind === 'text') &&
        spans.map((each) => each.text).join('') === text
      )
    }),
  )
})
