import fc from 'fast-check'
import t from 'tap'
import { html } from '../../../gateway/pages/html.ts'
import { filesBelow, textOf } from '../../rules/tree.ts'

const DECODED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** What a browser makes of the text between two marks. */
function read(markup: string, before: string, after: string): string {
  const inner = markup.slice(before.length, markup.length - after.length)
  return inner.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => DECODED[entity] ?? entity)
}

t.test('a text stays a text, between tags and in an attribute', async (t) => {
  const marks = fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '`', 'a', ';', '/') })
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), marks), (text) => {
      const between = html`<p>${text}</p>`.toString()
      const within = html`<p title="${text}">`.toString()
      t.equal(read(between, '<p>', '</p>'), text)
      t.equal(read(within, '<p title="', '">'), text)
      t.notMatch(between.slice(3, -4), /[<>"']/)
      t.notMatch(within.slice(10, -2), /[<>"']/)
    }),
  )
})

t.test('markup passes as it is; lists are joined; undefined leaves nothing', async (t) => {
  const items = ['<', html`<b>${'&'}</b>`, undefined, 3]
  t.equal(html`${items}${undefined}-`.toString(), '&lt;<b>&amp;</b>3-')
})

t.test('what only looks like markup is text', async (t) => {
  const forged = { toString: () => '<script>' }
  t.throws(() => html`${forged as unknown as string}`.toString())
})

t.test('places in tags stand in quotes', async (t) => {
  const bare = /<[a-z][^<>]*\s[\w-]+=\$\{/
  const sources = [...filesBelow('gateway/pages'), ...filesBelow('gateway/owner/console')]
  t.ok(sources.length > 20, 'the sources were read')
  t.same(
    sources.filter((path) => bare.test(textOf(path))),
    [],
  )
  t.match('<a href=${x}>', bare, 'and one would be found')
})
