import { base64urlnopad } from '@scure/base'
import fc from 'fast-check'
import t from 'tap'
import { decodeBase64url, encodeBase64url } from '../../policy/base64url.ts'

const numRuns = Math.ceil(500 * Number(process.env['NARROWGATE_RUNS_FACTOR'] ?? 1))

/** The same by another implementation. */
function decoded(text: string): readonly number[] | undefined {
  try {
    return [...base64urlnopad.decode(text)]
  } catch {
    return undefined
  }
}

t.test('bytes are spelled as another implementation spells them, and come back', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
      const text = encodeBase64url(bytes)
      const back = decodeBase64url(text) ?? []
      return text === base64urlnopad.encode(bytes) && String([...back]) === String([...bytes])
    }),
    { numRuns },
  )
})

t.test('only the one spelling of some bytes is taken', async () => {
  const char = fc.constantFrom(...'ABQgwZaz09-_=+/ é\0'.split(''))
  fc.assert(
    fc.property(fc.array(char, { maxLength: 9 }), (chars) => {
      const text = chars.join('')
      const bytes = decodeBase64url(text)
      return String(bytes && [...bytes]) === String(decoded(text))
    }),
    { numRuns: numRuns * 10 },
  )
})
