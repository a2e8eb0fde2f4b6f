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

// The payloads end like a start, so that one occurs within the token as well.
for (const kind of ['g1', 'ns1'])
  for (const inner of ['g1', 'ns1', 'x1'])
    t.test(`a ${kind} or key is masked wherever the body is split: ${inner}`, async (t) => {
      const token = `${kind}.${'p'.repeat(20)}${inner}.${SIGNATURE}`
      const hidden = `${kind}.${'*'.repeat(token.length - kind.length - 1)}`
      const text = `big ${token} ${KEY} g1 ns1 ns n g`
      const expected = `big ${hidden} ${'*'.repeat(KEY.length)} g1 ns1 ns n g`
      for (let at = 0; at <= text.length; at++)
        t.equal(kept([text.slice(0, at), text.slice(at)]), expected, `split at ${at}`)
      t.equal(kept(text.split('')), expected, 'byte by byte')
    })

t.test('what only begins like a token stays', async (t) => {
  for (const kind of ['g1', 'ns1'])
    for (const rest of [
      '',
      'abc',
      `${'p'.repeat(20)}.short`,
      'p'.repeat(40_000),
      '1.'.repeat(20_000),
    ])
      t.equal(kept(`${kind}.${rest}`.match(/[^]{1,1000}/g) ?? []), `${kind}.${rest}`)
})
