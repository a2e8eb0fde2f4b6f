import fc from 'fast-check'
import t from 'tap'
import { documents, runs } from './documents.ts'
import { compiled, project } from './project.ts'
import { rowOptions, wants } from './wants.ts'

const TOKENS = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null/g

t.test('each scalar of a result stands in the document, byte for byte', async () => {
  fc.assert(
    fc.property(documents, wants, rowOptions, (document, { where, select, order }, options) => {
      const want = { ...(where && { where }), ...(select && { select }), ...(order && { order }) }
      let text
      try {
        ;({ text } = project(document, compiled(want, options), { sizes: [5] }))
      } catch {
        return
      }
      const source = new Set(document.match(TOKENS))
      const strange = (text.match(TOKENS) ?? []).filter((token) => !source.has(token))
      // A document of which nothing stays is null.
      if (strange.length > 0 && text !== 'null')
        throw new Error(`made ${strange.join()} in ${text}`)
    }),
    { numRuns: runs(800) },
  )
})

t.test('numbers, escapes and the order of members are untouched', async (t) => {
  const row = '{"n":12345678901234567890.1230,"s":"\\u0041\\/","o":{"z":1.0E+2,"a":-0}}'
  t.equal(project(`[ ${row} ,{}]`, compiled({ select: ['n', 's', 'o'] })).text, `[${row},{}]`)
})
