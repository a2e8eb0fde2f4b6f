import fc from 'fast-check'
import t from 'tap'
import { createRedactor } from '../../../gateway/wire/redactor.ts'
import { ENCODINGS, readings } from './secret-spelling.ts'

const numRuns = Math.ceil(150 * Number(process.env['NARROWGATE_RUNS_FACTOR'] ?? 1))
const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code))
const textOf = (minLength: number, maxLength: number) =>
  fc.array(printable, { minLength, maxLength }).map((all) => all.join(''))

/** Cuts bytes at these places (modulo their length). */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...at, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : at[i - 1], end))
}

// A key of a few letters is its own decoy: many readers are under way at once.
const key = fc
  .oneof(
    textOf(16, 120),
    fc
      .array(fc.constantFrom('a', 'b', '%', '\\'), { minLength: 16, maxLength: 40 })
      .map((all) => all.join('')),
  )
  .filter((text) => !text.includes('**'))

t.test('no form of the key comes out, and no other byte is touched', async (t) => {
  const places = fc.array(fc.nat(), { maxLength: 12 })
  const names = fc.constantFrom(...Object.keys(ENCODINGS))
  const pieces = fc.array(fc.record({ before: textOf(0, 20), name: names }), {
    minLength: 1,
    maxLength: 4,
  })
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        key,
        pieces,
        textOf(0, 20),
        fc.array(fc.nat(), { minLength: 1, maxLength: 9 }),
        places,
        (value, parts, after, picks, at) => {
          let turn = 0
          const pick = () => picks[turn++ % picks.length] ?? 0
          const text =
            parts.map(({ before, name }) => before + ENCODINGS[name]?.(value, pick)).join('') +
            after
          const input = Buffer.from(text)
          const copy = Buffer.from(input)
          const stream = createRedactor([{ name: 'k', value }]).stream()
          const output = Buffer.concat([
            ...cut(input, at).map((chunk) => stream.push(chunk)),
            stream.flush(),
          ])
          const whole = createRedactor([{ name: 'k', value }]).redactText(text)
          return (
            input.equals(copy) &&
            output.toString() === whole &&
            stream.masked > 0 &&
            output.length === input.length &&
            output.every((byte, i) => byte === input[i] || byte === 0x2a) &&
            !readings(output.toString()).some((reading) => reading.includes(value))
          )
        },
      ),
      { numRuns },
    ),
  )
})

t.test('text that does not hold the key passes as it is, however it is cut', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        textOf(16, 60),
        textOf(0, 400),
        fc.array(fc.nat(), { maxLength: 12 }),
        (value, text, at) => {
          fc.pre(!readings(text).some((reading) => reading.includes(value)))
          const stream = createRedactor([{ name: 'k', value }]).stream()
          const input = Buffer.from(text)
          const output = Buffer.concat([
            ...cut(input, at).map((chunk) => stream.push(chunk)),
            stream.flush(),
          ])
          return output.equals(input) && stream.masked === 0
        },
      ),
      { numRuns },
    ),
  )
})

t.test('every prefix of a form is held back, and nothing else', async (t) => {
  const value = 'sk-0123456789abcdef'
  for (const [name, encode] of Object.entries(ENCODINGS)) {
    const spelled = encode(value, () => 1)
    for (let length = 1; length < spelled.length; length++) {
      const stream = createRedactor([{ name: 'k', value }]).stream()
      const first = stream.push(Buffer.from(`data: 1\n\n${spelled.slice(0, length)}`))
      t.ok(first.toString().startsWith('data: 1\n\n'), name)
      const rest = Buffer.concat([stream.push(Buffer.from(spelled.slice(length))), stream.flush()])
      const out = Buffer.concat([first, rest]).toString()
      if (readings(out).some((reading) => reading.includes(value)))
        t.fail(`${name} at ${length}: ${out}`)
    }
  }
})
