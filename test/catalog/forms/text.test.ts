import fc from 'fast-check'
import t from 'tap'
import { callOfText } from '../../../catalog/index.ts'

t.test('a call is read from a line', async (t) => {
  t.strictSame(callOfText('  NAME a="x y" b=z a="\\u00fc\\"\\n" \n'), {
    tool: 'NAME',
    texts: { a: ['x y', 'ü"\n'], b: 'z' },
  })
  t.strictSame(callOfText('NAME'), { tool: 'NAME', texts: {} })
  t.strictSame(callOfText('NAME a="two\nlines"'), { tool: 'NAME', texts: { a: 'two\nlines' } })
  for (const text of [
    '',
    'name a=b',
    'NAME a',
    'NAME a="',
    'NAME a=b"c',
    'NAME =b',
    'NAME a="\\x"',
  ])
    t.match(callOfText(text), { fault: /./ }, text)
})

t.test('a call is read from the one tag in a text', async (t) => {
  const text = 'I call <call tool="NAME" a="1 &lt; 2 &amp; &#252;" b=\'"\' a="&quot;&nbsp;" /> now.'
  t.strictSame(callOfText(text), {
    tool: 'NAME',
    texts: { a: ['1 < 2 & ü', '"&nbsp;'], b: '"' },
  })
  for (const bad of [
    '<call a="b"/>',
    '<call tool="A" tool="B"/>',
    '<call tool="A"/><call tool="B"/>',
  ])
    t.match(callOfText(bad), { fault: /./ }, bad)
})

t.test('what is quoted comes back as it was, in either form', async (t) => {
  const value = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(value, (text) => {
      const line = callOfText(`NAME a=${JSON.stringify(text)}`)
      const escaped = text.replaceAll(/./gsu, (sign) => `&#${sign.codePointAt(0)};`)
      const tag = callOfText(`<call tool="NAME" a="${escaped}"/>`)
      return [line, tag].every((read) => 'texts' in read && read.texts['a'] === text)
    }),
    { numRuns: 5000 },
  )
  t.equal(callOfText(`NAME a="${'\\"'.repeat(50_000)}`) !== undefined, true, 'in no time')
  const long = `<call tool="NAME" ${'a="b" '.repeat(20_000)}`
  t.match(callOfText(long), { fault: /./ })
})
