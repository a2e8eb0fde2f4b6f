import t from 'tap'
import { createKeptMask } from '../../../gateway/wire/kept-mask.ts'
import { createRedactor } from '../../../gateway/wire/redactor.ts'

const KEY = 'a-key-of-sixteen-bytes'
const SIGNATURE = 'S'.repeat(43)
const redactor = createRedactor([{ name: 'k', value: KEY }])

function kept(pieces: readonly string[]): string {
  const mask = createKeptMask(redactor)
  const out = pieces.map((piece) => mask.push(Buffer.from(piece, 'latin1')))
  return Buffer.concat([...out, mask.end()]).toString('latin1')
}

t.test('a token or key is masked wherever the body is split', async (t) => {
  // The payload ends in `g1`, so that `g1.` occurs within the token as well.
  const token = `g1.${'p'.repeat(20)}g1.${SIGNATURE}`
  const text = `big ${token} ${KEY} g1 g`
  const expected = `big g1.${'*'.repeat(token.length - 3)} ${'*'.repeat(KEY.length)} g1 g`
  for (let at = 0; at <= text.length; at++)
    t.equal(kept([text.slice(0, at), text.slice(at)]), expected, `split at ${at}`)
  t.equal(kept(text.split('')), expected, 'byte by byte')
})

t.test('what only begins like a token stays', async (t) => {
  for (const text of ['g1.', 'g1.abc', `g1.${'p'.repeat(20)}.short`, `g1.${'p'.repeat(40_000)}`])
    t.equal(kept(text.match(/[^]{1,1000}/g) ?? []), text)
})
