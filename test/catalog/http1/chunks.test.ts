import fc from 'fast-check'
import t from 'tap'
import { ChunkDecoder } from '../../../catalog/index.ts'

interface Decoded {
  readonly body: string
  readonly left: string
  readonly done: boolean
  readonly trailers: readonly string[]
}

/** Decodes a text that comes in pieces of these lengths; undefined where it is refused. */
function decode(text: string, cuts: readonly number[] = []): Decoded | undefined {
  const decoder = new ChunkDecoder()
  const bytes = Buffer.from(text, 'latin1')
  let body = ''
  let left = ''
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const piece = bytes.subarray(at, at + (cuts[turn] ?? bytes.length))
    at += piece.length
    const read = decoder.push(piece, (from, to) => (body += piece.toString('latin1', from, to)))
    if (read < 0) return undefined
    left += piece.toString('latin1', read)
  }
  return { body, left, done: decoder.done, trailers: decoder.trailers }
}

t.test('sizes, extensions, trailers, and what is behind', async (t) => {
  t.same(decode('5\r\nhello\r\nA;x="y"\r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\nnext'), {
    body: 'hello0123456789',
    left: 'next',
    done: true,
    trailers: ['X-Sum', '1'],
  })
  t.same(decode('0\r\n\r\n'), { body: '', left: '', done: true, trailers: [] })
  t.match(decode('5\r\nhel'), { body: 'hel', done: false })
})

for (const text of [
  '+5\r\nhello\r\n',
  '0x5\r\nhello\r\n',
  ' 5\r\nhello\r\n',
  '5 \r\nhello\r\n',
  '5\nhello\r\n',
  '5\rhello',
  '-1\r\n',
  '\r\n',
  'g\r\n',
  '5\r\nhelloX',
  '5\r\nhello\n',
  '5\r\nhello\r\nX',
  'fffffffffffffff\r\n',
  `5;${'x'.repeat(5_000)}\r\nhello\r\n`,
  '5;\x01\r\nhello\r\n',
  '0\r\nbad name: x\r\n\r\n',
  '0\r\nX: a\r\n folded\r\n\r\n',
]) {
  t.test(`${JSON.stringify(text.slice(0, 20))} is no chunk`, async (t) => {
    t.equal(decode(text), undefined)
  })
}

t.test('endless trailers end', async (t) => {
  t.equal(decode(`0\r\n${'X: 1\r\n'.repeat(20_000)}`), undefined)
})

t.test('pieces do not matter', async (t) => {
  const piece = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.integer({ min: 1, max: 9 })), (pieces, cuts) => {
      const chunks = pieces.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`)
      const text = `${chunks.join('')}0\r\nT: v\r\n\r\nrest`
      const decoded = { body: pieces.join(''), left: 'rest', done: true, trailers: ['T', 'v'] }
      t.same(decode(text, cuts), decoded)
    }),
    { numRuns: 500 },
  )
})
